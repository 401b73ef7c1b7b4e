/** Generates the CloudFront Function of the pages: site-paths.js behind the paths of the site and the 404 answer. */
import { idShapes } from '../core/ids.ts'
import type { Language } from '../core/language.ts'
import { optionFields } from '../core/options.ts'
import { jwksPath } from '../core/orders/shop-key.ts'
import { problem } from '../core/outcome.ts'
import { generateViewerFunction } from './viewer-function.ts'

export type SitePaths = {
  /** Objects whose names every deployment has: `/orders/index.html`. */
  objects: readonly string[]
  /** The page for unknown paths by language, as HTML; they differ in what stands in and between their tags. */
  missingPages: Readonly<Record<Language, string>>
  /**
   * The security headers of pages. CloudFront documents its own policy of a behaviour for answers from a cache or an
   * origin only (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/modifying-response-headers.html).
   */
  headers: Readonly<Record<string, string>>
}

/** Files of former builds stay in the bucket for the pages that load them, so no list has all names. */
const asset = '/assets/(?:pictures/)?[A-Za-z0-9_-]+(?:[.][0-9A-Za-z]{8})?[.](?!html)[a-z0-9]+'

/** The files of uploaded pictures (core/sale/pictures.ts). */
const picture = '/pictures/[0-9a-f]{32}-[0-9]{1,4}[.]webp'

/** The colours of a brand (templates/pages/brand.ts). */
const brandStyle = '/brand/[0-9a-f]{6}-[0-9a-f]{6}[.]css'

/** The public keys of reservations, in a shop that signs some. */
const keys = `/${jwksPath}`.replaceAll('.', '[.]')

/** The objects of a sale (core/sale/pointer.ts), and those of plans of options (core/sale/sale-field.ts). */
const ofOptions = optionFields.filter(({ plan }) => plan).map(({ name }) => `${name}/[a-z]+[.](?:json|txt|bin)`)
const names = ['index[.]html', 'current[.]json', 'countdown[.][0-9]+[.]js(?:on)?', ...ofOptions]
const saleObject = `/sales/(${idShapes.sale})/(?:${names.join('|')})`

/** `code` is the text of site-paths.js. */
export function generateSitePaths(code: string, { objects, missingPages, headers }: SitePaths): string {
  const names = objects.map((name) => name.replaceAll('.', '[.]'))
  const security = Object.entries(headers).map(([name, value]) => [name, { value }])
  return generateViewerFunction(code, {
    objects: String(new RegExp(`^(?:${[...names, keys, asset, picture, brandStyle].join('|')})$`)),
    saleObjects: String(new RegExp(`^${saleObject}$`)),
    ...tablesOf(missingPages),
    missingObject: JSON.stringify(JSON.stringify(problem('not-found', 'No such object.'))),
    securityHeaders: JSON.stringify(Object.fromEntries(security)),
  })
}

/** Splits the pages into the text that all share and the words of each in the places between. */
function tablesOf(pages: SitePaths['missingPages']): Record<'missingFrame' | 'missingWords', string> {
  const cut = Object.values(pages).map((page) => page.replaceAll(/\n+/g, '\n').split(/(?=<)|(?<=>)/))
  const frame = ['']
  const places: number[] = []
  cut[0]?.forEach((part, at) => {
    if (cut.every((other) => other[at] === part)) frame[frame.length - 1] += part
    else frame[places.push(at)] = ''
  })
  const words = Object.keys(pages).map((language, i) => [language, places.map((at) => cut[i]?.[at])])
  return { missingFrame: JSON.stringify(frame), missingWords: JSON.stringify(Object.fromEntries(words)) }
}
