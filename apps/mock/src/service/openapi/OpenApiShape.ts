/**
 * Defines the parts of an OpenAPI document that the reference page shows.
 */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly examples?: ReadonlyArray<unknown>
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly required?: ReadonlyArray<string>
  readonly properties?: { readonly [name: string]: Schema }
}

export interface Media {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: { readonly [name: string]: Example }
}

/** An example, or a reference to one. */
interface Example {
  readonly $ref?: string
  readonly value?: unknown
}

export interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly content?: { readonly [media: string]: Media }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: { readonly [media: string]: Media } }
  readonly responses: { readonly [status: string]: Response }
}

export interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
}

/** The document. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema }
    readonly parameters: { readonly [name: string]: Parameter }
    readonly responses: { readonly [name: string]: Response }
    readonly examples: { readonly [name: string]: Example }
  }
}
