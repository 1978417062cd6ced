/** Embeds with supabase-js, whose types follow from the catalogue's references. */
import type { Form } from "./Form.ts"

export const forms: ReadonlyArray<Form> = [
  {
    call: ".select() of rows that refer to these",
    run: async (client) => {
      const { data, status } = await client
        .from("warehouseTransfer")
        .select("transferId, lines:warehouseTransferLine(itemId, quantity)")
        .order("transferId")
      const quantities: ReadonlyArray<ReadonlyArray<number>> | undefined = data?.map(({ lines }) =>
        lines.map(({ quantity }) => quantity)
      )
      return { status, data: quantities }
    },
    gives: { status: 200, data: [[5, 1, 3], []] }
  },
  {
    call: ".select() of the row that these refer to",
    run: async (client) => {
      const { data, status } = await client
        .from("warehouseTransferLine")
        .select("itemId, warehouseTransfer(transferId, status)")
        .eq("id", "l1")
        .single()
      const transfer: string | undefined = data?.warehouseTransfer.transferId
      return { status, data: transfer }
    },
    gives: { status: 200, data: "WT-1" }
  },
  {
    call: ".select() with !inner and a filter on the embed",
    since: "2.0",
    run: (client) =>
      client
        .from("warehouseTransfer")
        .select("transferId, warehouseTransferLine!inner(itemId)")
        .eq("warehouseTransferLine.itemId", "nut"),
    gives: { status: 200, data: [{ transferId: "WT-1", warehouseTransferLine: [{ itemId: "nut" }] }] }
  },
  {
    call: ".select() with a hint",
    since: "2.0",
    run: (client) =>
      client
        .from("warehouseTransferLine")
        .select("warehouseTransfer!warehouseTransferLine_transferId_fkey(transferId)")
        .eq("id", "l2"),
    gives: { status: 200, data: [{ warehouseTransfer: { transferId: "WT-1" } }] }
  },
  {
    call: ".select() with a spread",
    run: (client) =>
      client.from("warehouseTransferLine").select("itemId, ...warehouseTransfer(transferId)").eq("id", "l3"),
    gives: { status: 200, data: [{ itemId: "pin", transferId: "WT-1" }] }
  },
  {
    call: ".order/.limit/.range({ referencedTable })",
    run: (client) =>
      client
        .from("warehouseTransfer")
        .select("transferId, warehouseTransferLine(itemId)")
        .eq("id", "t1")
        .order("quantity", { referencedTable: "warehouseTransferLine" })
        .range(1, 2, { referencedTable: "warehouseTransferLine" }),
    gives: {
      status: 200,
      data: [{ transferId: "WT-1", warehouseTransferLine: [{ itemId: "pin" }, { itemId: "bolt" }] }]
    }
  },
  {
    call: ".limit({ referencedTable }).or({ referencedTable })",
    run: (client) =>
      client
        .from("warehouseTransfer")
        .select("transferId, warehouseTransferLine(itemId)")
        .eq("id", "t1")
        .or("quantity.eq.1,quantity.eq.3", { referencedTable: "warehouseTransferLine" })
        .limit(1, { referencedTable: "warehouseTransferLine" }),
    gives: { status: 200, data: [{ transferId: "WT-1", warehouseTransferLine: [{ itemId: "nut" }] }] }
  },
  {
    call: ".select() with counts of embedded rows",
    since: "2.0",
    run: (client) =>
      client.from("warehouseTransfer").select("transferId, warehouseTransferLine(count)").order("transferId"),
    gives: {
      status: 200,
      data: [
        { transferId: "WT-1", warehouseTransferLine: [{ count: 3 }] },
        { transferId: "WT-2", warehouseTransferLine: [{ count: 0 }] }
      ]
    }
  },
  {
    call: ".select('count')",
    since: "2.0",
    run: (client) => client.from("warehouseTransferLine").select("count").single(),
    gives: { status: 200, data: { count: 3 } }
  },
  {
    call: ".is() of an embed: rows without one",
    since: "2.0",
    run: (client) =>
      client.from("warehouseTransfer").select("transferId, warehouseTransferLine()").is("warehouseTransferLine", null),
    gives: { status: 200, data: [{ transferId: "WT-2" }] }
  },
  {
    call: ".insert().select() of what the new row refers to",
    since: "2.0",
    run: (client) =>
      client
        .from("warehouseTransferLine")
        .insert({
          transferId: "t2",
          itemId: "bolt",
          quantity: 1,
          shippedQuantity: 0,
          receivedQuantity: 0,
          fromLocationId: "here",
          toLocationId: "there",
          companyId: "demo"
        })
        .select("itemId, warehouseTransfer(transferId)")
        .single(),
    gives: { status: 201, data: { itemId: "bolt", warehouseTransfer: { transferId: "WT-2" } } }
  },
  {
    call: ".select() of an embed that does not exist",
    since: "2.0",
    // the types know no such relation
    run: (client) => client.from("warehouseTransfer").select("id, holiday(*)" as "id"),
    gives: { status: 400, code: "PGRST200" }
  }
]
