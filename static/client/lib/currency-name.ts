/** What a currency is called, such as `US Dollar`; its code where the locale has no name for it. */
export function currencyName(code: string, locale: string): string {
  return new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code
}
