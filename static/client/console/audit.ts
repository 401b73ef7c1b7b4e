/** Who changed what, one day at a time, newest first. */
import { make } from '../dom.ts'
import { getAudit } from './api.ts'
import type { AuditEntry } from './read.ts'
import type { Desk, Leave } from './view.ts'

export function openAudit(desk: Desk): Leave {
  const { voice } = desk
  let left = false
  const day = make('input', {
    type: 'date',
    id: 'audit-day',
    value: new Date().toISOString().slice(0, 10),
    change: () => void look(),
  })
  const place = make('div', { id: 'audit' })
  desk.show(
    make(
      'header',
      { class: 'console__head' },
      make('h1', {}, voice.t('console.audit')),
      make(
        'div',
        { class: 'field field--inline' },
        make('label', { for: 'audit-day' }, voice.t('audit.day')),
        day,
      ),
    ),
    place,
  )

  async function look(): Promise<void> {
    const answer = await getAudit(day.value)
    if (left) return
    if (!answer.ok) {
      desk.explain(answer.reply)
      return
    }
    desk.tell('')
    const newest = [...answer.value].sort((a, b) => b.when - a.when)
    place.replaceChildren(
      newest.length === 0 ? make('p', { class: 'empty' }, voice.t('audit.empty')) : table(newest),
    )
  }

  function table(entries: readonly AuditEntry[]): HTMLElement {
    const heads = (['audit.when', 'audit.who', 'audit.what', 'audit.sale', 'audit.change'] as const).map(
      (key) => make('th', { scope: 'col' }, voice.t(key)),
    )
    return make(
      'div',
      { class: 'scroll', tabindex: 0 },
      make('table', {}, make('thead', {}, make('tr', {}, ...heads)), make('tbody', {}, ...entries.map(row))),
    )
  }

  function row({ when, who, what, saleId, before, after }: AuditEntry): HTMLElement {
    const time = new Intl.DateTimeFormat(voice.locale(), { timeStyle: 'medium' }).format(when)
    return make(
      'tr',
      {},
      make('td', {}, time),
      make('td', {}, who),
      make('td', {}, make('strong', {}, what)),
      make('td', {}, saleId === '' ? '–' : make('a', { href: `#/sale/${saleId}` }, saleId)),
      make('td', { class: 'change' }, make('code', {}, brief(before)), make('code', {}, brief(after))),
    )
  }

  void look()
  return () => {
    left = true
  }
}

function brief(value: unknown): string {
  const text = value === undefined || value === null ? '–' : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 157)}…` : text
}
