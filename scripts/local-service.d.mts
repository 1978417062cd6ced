/** Declares the settings of `npm start`, for the tests. */
export const localService: { readonly [variable: string]: string }
