/** Countries by their codes of ISO 3166-1 alpha-2, such as `CN`. */

/** Codes that `Intl` knows but that are no countries: unions, the United Nations, unknown regions. */
const otherRegions: ReadonlySet<string> = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

/** Codes reserved for parts of a country. They are not offered as choices. */
const parts: ReadonlySet<string> = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'IC', 'TA'])

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Returns the codes of the countries to choose from, without former codes such as `DD`. */
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
