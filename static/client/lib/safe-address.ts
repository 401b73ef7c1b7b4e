/** An address that the page may go to: of this site, or https; undefined for any other. `origin` is this page's. */
export function safeAddress(address: unknown, origin: string): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address, origin)) return undefined
  const url = new URL(address, origin)
  return url.protocol === 'https:' || url.origin === origin ? url.href : undefined
}
