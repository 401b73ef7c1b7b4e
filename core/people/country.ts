/** Countries by their codes of ISO 3166-1 alpha-2, such as `CN`. */

/** Codes that `Intl` knows and that name no country: unions, the United Nations, and no known place. */
const otherRegions: ReadonlySet<string> = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

/** Codes that are reserved for parts of a country, which are chosen as that country. */
const parts: ReadonlySet<string> = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'IC', 'TA'])

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Returns the countries to choose from, by their codes; a former code of one, such as `DD`, is not among them. */
export function countryChoices(): string[] {
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return codes.filter(
    (code) =>
      !otherRegions.has(code) &&
      !parts.has(code) &&
      names.of(code) !== undefined &&
      new Intl.Locale(`und-${code}`).region === code,
  )
}

/** True for the code of a country that this runtime knows, so that its name can be shown. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || otherRegions.has(code)) return false
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return names.of(code) !== undefined
}
