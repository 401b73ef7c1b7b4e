/** Countries by their codes of ISO 3166-1 alpha-2, such as `CN`. */

/** Codes that `Intl` knows and that name no country: unions, the United Nations, and no known place. */
const otherRegions: ReadonlySet<string> = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

/** True for the code of a country that this runtime knows, so that its name can be shown. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || otherRegions.has(code)) return false
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return names.of(code) !== undefined
}
