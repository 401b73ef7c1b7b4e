/**
 * An address that the page may go to: of this site, or https, or of the same machine for a page of `localhost`, where a
 * shop tries its own checkout; undefined for any other. `origin` is this page's.
 */
export function safeAddress(address: unknown, origin: string): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address, origin)) return undefined
  const url = new URL(address, origin)
  const isOfMachine = [url, new URL(origin)].every((one) => /^http:\/\/localhost[:/]/.test(one.href))
  return url.protocol === 'https:' || url.origin === origin || isOfMachine ? url.href : undefined
}
