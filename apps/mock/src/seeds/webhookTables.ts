/**
 * The tables a webhook may name, by module: one per served resource, and those of the public system. Every company
 * has them, whatever its seed.
 */
export const webhookTables: ReadonlyArray<{ readonly module: string; readonly names: ReadonlyArray<string> }> = [
  { module: "Accounting", names: ["Journal Line", "Payment Term"] },
  { module: "Documents", names: ["Document Extraction"] },
  {
    module: "Inventory",
    names: ["Receipt", "Warehouse Transfer", "Warehouse Transfer Line", "Kanban", "Tracked Activity Output"]
  },
  { module: "Invoicing", names: ["Purchase Invoice", "Sales Invoice"] },
  { module: "Items", names: ["Item", "Change Order Required Action"] },
  { module: "People", names: ["Holiday", "Work Center Shift"] },
  {
    module: "Production",
    names: [
      "Job",
      "Assembly Plan Job",
      "Assembly Instruction Step Tool",
      "Assembly Instruction Step Slide",
      "Job Operation Step Record"
    ]
  },
  {
    module: "Purchasing",
    names: ["Purchase Order", "Supplier", "Supplier Quote", "Purchase Order Delivery", "Purchase Order Status History"]
  },
  { module: "Quality", names: ["Inbound Inspection", "Non Conformance", "Quality Document Step"] },
  { module: "Resources", names: ["Maintenance Schedule Item"] },
  {
    module: "Sales",
    names: [
      "Customer",
      "Quote",
      "Sales Order",
      "Sales RFQ",
      "Fulfillment",
      "Sales Order Favorite",
      "Sales Order Payment",
      "Shipment Fixed Asset Line"
    ]
  },
  { module: "Settings", names: ["Oauth Client", "Oauth Code", "Webhook", "Webhook Table"] },
  { module: "Users", names: ["Employee"] },
  { module: "Workflows", names: ["Workflow Trigger Event"] }
]
