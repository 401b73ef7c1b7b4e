/** Writes the delivery costs of a sale by country. */

/** Returns `Germany and France €4.90; Japan free`, cheapest first. `money` formats an amount in minor units. */
export function deliveryCostsText(
  costs: Readonly<Record<string, number>>,
  locale: string,
  { money, free }: { money: (amount: number) => string; free: string },
): string {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const countries = new Intl.ListFormat(locale, { type: 'conjunction' })
  const entries = Object.entries(costs)
  const amounts = [...new Set(Object.values(costs))].sort((a, b) => a - b)
  return amounts
    .map((amount) => {
      const same = entries.filter(([, cost]) => cost === amount)
      const list = countries.format(same.map(([code]) => names.of(code) ?? code))
      return `${list} ${amount === 0 ? free : money(amount)}`
    })
    .join(/^(?:zh|ja)/.test(locale) ? '；' : locale.startsWith('fr') ? '\u00a0; ' : '; ')
}
