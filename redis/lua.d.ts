/** A `.lua` file imported as its text: esbuild inlines it in bundles, `lua-hooks.ts` and Vitest load it elsewhere. */
declare module '*.lua' {
  const source: string
  export default source
}
