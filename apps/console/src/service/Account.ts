/**
 * Calls the operations of the account, which act for the user of the API key.
 */
import type * as Operations from "@mfgdata/domain/Operations"
import type * as Operation from "@mfgdata/domain/Operation"
import * as Service from "./Service.ts"
import { accountMount } from "./operations.derived.ts"

type Declared<N extends Operations.Name> = (typeof Operations.account)[N]

/** The parameters of an operation as plain values: the service checks their form. */
export type Parameters<N extends Operations.Name> = Declared<N>["request"]["Encoded"]

/** Performs an operation. */
export const perform = async <N extends Operations.Name>(
  name: N,
  parameters: Parameters<N>,
  signal?: AbortSignal
): Promise<Operation.Response<Declared<N>>> =>
  // The service encodes its responses with the schema of this type.
  (await Service.json({
    method: "POST",
    target: `${accountMount}/${name}`,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(parameters),
    signal
  })) as Operation.Response<Declared<N>>
