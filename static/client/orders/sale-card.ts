/** What an order is for: title and picture, read from the sale's own static page, so it costs the CDN only. */

export type SaleCard = { title: string; image: string | undefined }

const known = new Map<string, Promise<SaleCard>>()

/** The sale's title and picture; its id stands in when the page is gone. */
export function saleCard(saleId: string): Promise<SaleCard> {
  const found = known.get(saleId) ?? read(saleId)
  known.set(saleId, found)
  return found
}

async function read(saleId: string): Promise<SaleCard> {
  try {
    const response = await fetch(`/sales/${saleId}/`)
    if (!response.ok) return { title: saleId, image: undefined }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const title = page.querySelector('h1')?.textContent ?? saleId
    return { title, image: page.querySelector('.sale__picture img')?.getAttribute('src') ?? undefined }
  } catch {
    // An order is worth showing without its picture.
    return { title: saleId, image: undefined }
  }
}
