/** Declares the build, for the tests. */
export interface BuiltFile {
  readonly name: string
  readonly bytes: number
  readonly gzip: number
  readonly brotli: number
  /** Set for a file that the first view loads. */
  readonly isFirst: boolean
}
export const outputFolder: string
export const buildConsole: () => Promise<{ readonly files: ReadonlyArray<BuiltFile> }>
