/**
 * The API's refusals say what to do in terms of the API. At the command line the same remedy has another form.
 */

/** What the API says, and what is typed here instead. */
const remedies: readonly (readonly [api: string, typed: string])[] = [
  ['ask again with ?force=true', 'repeat the command with --force'],
  ['with POST …/stock {"delta"}', 'with the stock command, such as: stock <saleId> +10'],
]

/** `detail` of a problem of `/api/control`, for somebody at the command line. */
export function atCommandLine(detail: string): string {
  return remedies.reduce((text, [api, typed]) => text.replace(api, typed), detail)
}
