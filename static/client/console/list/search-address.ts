/** The search of the list of sales in the address behind `#`, such as `#/?find=mug&state=live`. */
import { maxFind, type SaleSearch, salesQuery, searchStates } from '../../../../core/sale/sale-search.ts'
import { saleKinds } from '../../../../core/sale/settings.ts'

/** The search in `hash`; what is unknown in it is left out. */
export function searchIn(hash: string): SaleSearch {
  const query = new URLSearchParams(/\?(.*)$/s.exec(hash)?.[1] ?? '')
  const find = (query.get('find') ?? '').slice(0, maxFind)
  const kind = saleKinds.find((one) => one === query.get('kind'))
  const state = searchStates.find((one) => one === query.get('state'))
  return { find, ...(kind !== undefined && { kind }), ...(state !== undefined && { state }) }
}

export function addressOfSearch(path: string, { find, kind, state }: SaleSearch): string {
  const query = new URLSearchParams(salesQuery({ find, kind, state }))
  return query.size === 0 ? path : `${path}?${query}`
}

/** Whether `next` only goes on with the words of `search`: that is no step to come back to. */
export function goesOn(search: SaleSearch, next: SaleSearch): boolean {
  const isTyping = (search.find ?? '') !== '' && (next.find ?? '') !== ''
  return isTyping && search.kind === next.kind && search.state === next.state
}
