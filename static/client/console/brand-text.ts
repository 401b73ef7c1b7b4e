/** The brand as it stands in its form: a text for each input. */
import type { Brand } from '../../../core/brand.ts'
import type { Speaker } from './kind-words.ts'

const brandInputs = ['name', 'light', 'dark', 'support', 'links', 'taglineEn', 'taglineZh'] as const
export type BrandInput = (typeof brandInputs)[number]
export type BrandTexts = Readonly<Record<BrandInput, string>>

/** Each legal link is a line: label in English, label in Chinese, address. */
const separator = '|'

export function textsOfBrand({ name, colours, support, links = [], tagline }: Brand): BrandTexts {
  return {
    name: name ?? '',
    light: colours?.light ?? '',
    dark: colours?.dark ?? '',
    support: support ?? '',
    links: links.map(({ label, href }) => [label.en, label['zh-CN'], href].join(` ${separator} `)).join('\n'),
    taglineEn: tagline?.en ?? '',
    taglineZh: tagline?.['zh-CN'] ?? '',
  }
}

/** What a saved brand changes, a line for each input. */
export function brandEffects(voice: Pick<Speaker, 't'>, before: BrandTexts, after: BrandTexts): string[] {
  const shown = (text: string) => (text.trim() === '' ? voice.t('effect.empty') : text.trim())
  return brandInputs
    .filter((name) => before[name].trim() !== after[name].trim())
    .map((name) =>
      voice.t('effect.brandChange', {
        name: voice.t(`brand.${name}`),
        ...{ before: shown(before[name]), after: shown(after[name]) },
      }),
    )
}

/** The brand that was entered, unchecked. What is empty is left out. */
export function brandOfTexts(texts: BrandTexts, logo: string | undefined): unknown {
  const { name, light, dark, support, links, taglineEn, taglineZh } = texts
  const lines = links.split('\n').filter((line) => line.trim() !== '')
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(logo !== undefined && { logo }),
    ...(light.trim() + dark.trim() !== '' && { colours: { light: light.trim(), dark: dark.trim() } }),
    ...(lines.length > 0 && { links: lines.map(linkIn) }),
    ...(support.trim() !== '' && { support: support.trim() }),
    ...(taglineEn.trim() + taglineZh.trim() !== '' && {
      tagline: { en: taglineEn.trim(), 'zh-CN': taglineZh.trim() },
    }),
  }
}

function linkIn(line: string): unknown {
  const [en, chinese, href, ...more] = line.split(separator).map((part) => part.trim())
  return { label: { en, 'zh-CN': chinese }, href: more.length === 0 ? href : undefined }
}

const inputs: Readonly<Record<string, BrandInput>> = {
  'colours.dark': 'dark',
  colours: 'light',
  'tagline.zh-CN': 'taglineZh',
  tagline: 'taglineEn',
  links: 'links',
  support: 'support',
}

/** The input that fills the field of the API at that path. */
export function inputOf(path: string): BrandInput {
  return inputs[path] ?? inputs[path.split('.')[0] ?? ''] ?? 'name'
}
