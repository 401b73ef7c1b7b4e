/**
 * Renders the accessibility statement of the shop from the last test over its pages (`test/browser/tour/`). Directive (EU)
 * 2019/882, Art. 13(2) with Annex V, requires it; § 14(1) BFSG with its Annex 3 also asks for the authority. This is no
 * legal advice.
 */
import { type Brand, supportHref } from '../../core/brand.ts'
import { accessibilityMessages } from '../messages/catalogues.ts'
import { shopName } from '../messages/shop-name.ts'
import assessment from './assessment.json' with { type: 'json' }
import { titled } from './brand.ts'
import { type Html, html } from './html.ts'
import { type Assets, renderPage } from './layout.ts'
import { ownLanguage, textsAttribute, translator } from './say.ts'

const { say, text } = translator(accessibilityMessages)

/** The limits of the assessment that the statement names. */
const limits = ['method', 'time', 'pictures', 'others'] as const

/**
 * The authorities that supervise shops under the directive: the joint authority of the German Länder (BFSG), the
 * Sozialministeriumservice (BaFG), and the DGCCRF (décret 2023-931), which takes reports at SignalConso. Other member states
 * have their own.
 */
const authorities = {
  DE: {
    name: 'Marktüberwachungsstelle der Länder für die Barrierefreiheit von Produkten und Dienstleistungen (MLBF), Magdeburg',
    href: 'https://www.mlbf-barrierefrei.de/',
    language: 'de',
  },
  AT: { name: 'Sozialministeriumservice', href: 'https://www.sozialministeriumservice.gv.at/', language: 'de' },
  FR: {
    name: 'Direction générale de la concurrence, de la consommation et de la répression des fraudes (DGCCRF)',
    href: 'https://signal.conso.gouv.fr/',
    language: 'fr',
  },
} as const

const supervised = Object.keys(authorities) as (keyof typeof authorities)[]

export function renderAccessibilityPage(assets: Assets, brand: Brand): string {
  return renderPage(brand, () => ({
    name: 'accessibility',
    title: titled(accessibilityMessages['accessibility.title'], brand),
    description: text('accessibility.lead'),
    assets,
    styles: ['plain.css'],
    script: 'accessibility',
    main: html`<main id="main" class="narrow stack">
<h1>${say('accessibility.title')}</h1>
<p class="lead">${say('accessibility.lead')}</p>
<h2>${say('accessibility.service')}</h2>
<p>${say('accessibility.serviceText')}</p>
<h2>${say('accessibility.state')}</h2>
${facts(brand)}
<h2>${say('accessibility.limits')}</h2>
<ul class="stack">${limits.map(
      (limit) => html`
<li>${say(`accessibility.limit.${limit}`)}</li>`,
    )}
</ul>
<h2>${say('accessibility.report')}</h2>
<p>${say('accessibility.reportText')}</p>
${contacts(brand)}<h2>${say('accessibility.authority')}</h2>
<p>${say('accessibility.authorityText')}</p>
<ul class="stack">${supervised.map((country) => {
      const { name, href, language } = authorities[country]
      return html`
<li><b>${say(`accessibility.in.${country}`)}</b> <a href="${href}" lang="${language}">${name}</a></li>`
    })}
<li>${say('accessibility.in.EU')}</li>
</ul>
</main>`,
  }))
}

/** Renders the scope, standard and result of the assessment. */
function facts(brand: Brand): Html {
  const { day, axe, faults, states }: { states: Readonly<Record<string, number>> } & typeof assessment = assessment
  const counts = Object.values(states)
  const tour = { axe, parts: counts.length, states: counts.reduce((sum, one) => sum + one, 0) }
  const name = (language: string) => brand.seller?.name ?? shopName(brand, language)
  const rows = [
    ['shop', html`<span${textsAttribute(name)}>${name(ownLanguage())}</span>`],
    ['standard', say('accessibility.standardText')],
    ['status', say('accessibility.statusText')],
    ['assessed', html`<time id="assessed" datetime="${day}">${day}</time>`],
    ['tour', say('accessibility.tourText', tour)],
    ['faults', html`${faults}`],
  ] as const
  return html`<dl class="facts">${rows.map(
    ([key, value]) => html`
<div><dt>${say(`accessibility.${key}`)}</dt><dd>${value}</dd></div>`,
  )}
</dl>`
}

/** Renders the contacts of the shop; empty if it has none. */
function contacts({ support, seller }: Brand): Html {
  const links = [
    ...(support === undefined ? [] : [html`<a href="${supportHref(support)}">${support}</a>`]),
    ...(seller === undefined
      ? []
      : [html`<a href="mailto:${seller.email}">${seller.email}</a>`, html`<bdi dir="ltr">${seller.phone}</bdi>`]),
  ]
  return links.length === 0
    ? html``
    : html`<ul class="stack" id="contacts">${links.map((one) => html`<li>${one}</li>`)}</ul>\n`
}
