/** Who changed what, one day at a time, newest first. */

import type { AuditRow } from '../../../core/api/control.ts'
import { make } from '../lib/dom.ts'
import { getAudit } from './api.ts'
import { actionText, type ChangeLine, changesOf } from './audit-text.ts'
import { scrollTable } from './lib/scroll-table.ts'
import type { ConsoleVoice, Leave, ViewContext } from './view.ts'

const columns = ['audit.when', 'audit.who', 'audit.what', 'audit.sale', 'audit.change'] as const

type Column = (typeof columns)[number]

export function openAudit(context: ViewContext): Leave {
  const { voice } = context
  let left = false
  const day = make('input', {
    type: 'date',
    id: 'audit-day',
    value: new Date().toISOString().slice(0, 10),
    change: () => void look(),
  })
  const place = make('div', { id: 'audit' })
  context.show(
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
      context.explain(answer.reply)
      return
    }
    context.announce('')
    const newest = [...answer.value.entries].sort((a, b) => b.when - a.when)
    place.replaceChildren(
      newest.length === 0 ? make('p', { class: 'empty' }, voice.t('audit.empty')) : table(voice, newest),
    )
  }

  void look()
  return () => {
    left = true
  }
}

function table(voice: ConsoleVoice, entries: readonly AuditRow[]): HTMLElement {
  return scrollTable(
    columns.map((key) => voice.t(key)),
    entries.map((entry) => row(voice, entry)),
  )
}

function row(voice: ConsoleVoice, { when, who, role, what, saleId, before, after }: AuditRow): HTMLElement {
  const time = new Intl.DateTimeFormat(voice.locale(), { dateStyle: 'medium', timeStyle: 'medium' }).format(
    when,
  )
  const cell = (key: Column, ...content: (Node | string)[]) =>
    make('td', { role: 'cell', 'data-label': voice.t(key) }, ...content)
  return make(
    'tr',
    { role: 'row' },
    cell('audit.when', time),
    cell('audit.who', role === undefined ? who : `${who} (${voice.t(`role.${role}`)})`),
    cell('audit.what', make('strong', {}, actionText(voice, what))),
    cell('audit.sale', saleId === null ? '–' : make('a', { href: `#/sale/${saleId}` }, saleId)),
    cell('audit.change', changeList(changesOf(voice, { before, after }))),
  )
}

function changeList(lines: readonly ChangeLine[]): HTMLElement | string {
  return lines.length === 0 ? '–' : make('ul', { class: 'changes' }, ...lines.map(changeLine))
}

function changeLine({ label, before, after }: ChangeLine): HTMLElement {
  return make(
    'li',
    {},
    make('span', {}, label),
    ' ',
    before === undefined ? undefined : make('del', {}, before),
    ' ',
    after === undefined ? undefined : make('ins', {}, after),
  )
}
