/** Reads the title, picture and variants of a sale from its static page, which costs only a CDN request. */
import type { Language } from '../core/language.ts'
import { fieldsInText } from './wire.ts'

/** `variantsIn` returns names by id, in the order of the sale. */
export type SaleCard = {
  titleIn: (language: Language) => string
  image: string | undefined
  isCoupon: boolean
  variantsIn: (language: Language) => ReadonlyMap<string, string>
}

const known = new Map<string, Promise<SaleCard>>()

/** Returns the card of a sale, cached. If its page is gone, the title is the id. */
export function saleCard(saleId: string): Promise<SaleCard> {
  const found = known.get(saleId) ?? read(saleId)
  known.set(saleId, found)
  return found
}

async function read(saleId: string): Promise<SaleCard> {
  const unknown = { titleIn: () => saleId, image: undefined, isCoupon: false, variantsIn: () => new Map() }
  try {
    // A cached copy of any age will do.
    const response = await fetch(`/sales/${saleId}/`, { cache: 'force-cache' })
    if (!response.ok) return unknown
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const heading = page.querySelector('h1')
    const picture = page.querySelector('.sale__picture img')
    // The first of several sizes is the smallest.
    const small = picture?.getAttribute('srcset')?.split(' ')[0]
    const image = small ?? picture?.getAttribute('src') ?? undefined
    const isCoupon = page.getElementById('main')?.dataset.kind === 'coupon'
    const variants = [...page.querySelectorAll<HTMLElement>('.variant')].map((element) => {
      const name = element.querySelector<HTMLElement>('.variant__name')
      return [element.dataset.id ?? '', textsOf(name, '')] as const
    })
    const variantsIn = (language: Language) => new Map(variants.map(([id, nameIn]) => [id, nameIn(language)] as const))
    return { titleIn: textsOf(heading, saleId), image, isCoupon, variantsIn }
  } catch {
    // An order is worth showing without its picture.
    return unknown
  }
}

/** Returns a function that gives the text of the element by language; `missing` if the page has no such element. */
function textsOf(element: HTMLElement | null, missing: string): (language: Language) => string {
  const texts = fieldsInText(element?.dataset.texts ?? null) ?? {}
  return (language) => {
    const own = texts[language]
    return typeof own === 'string' ? own : (element?.textContent ?? missing)
  }
}
