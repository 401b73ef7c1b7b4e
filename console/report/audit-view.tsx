/** Who changed what, one day at a time, newest first: each fact that changed under the label it has in the forms. */
import { useEffect, useState } from 'preact/hooks'
import type { AuditRow } from '../../core/api/control-answers.ts'
import { auditActions } from '../../core/audit.ts'
import { blockKinds } from '../../core/gate/block.ts'
import { saleKinds } from '../../core/sale/kinds.ts'
import { type SettingName, settingNames } from '../../core/sale/settings.ts'
import { exactMoment } from '../../templates/messages/time-text.ts'
import { fieldsOf } from '../../web/wire.ts'
import { control } from '../api.ts'
import { auditFactsOfOptions } from '../option-parts.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import type { Key, Translator } from '../parts/kind-words.ts'
import { Pending } from '../parts/pending.tsx'
import { saleMoment } from '../parts/sale-moment.ts'
import { type SaleTerms, settingText, wordsOf } from '../sale/setting-words.ts'
import { useView } from '../view.ts'

export function Audit() {
  const { voice, announce, explain, isLeft } = useView()
  const [day, setDay] = useState(new Date().toISOString().slice(0, 10))
  const [entries, setEntries] = useState<readonly AuditRow[]>()
  const [hasFailed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)

  async function look(isStale: () => boolean): Promise<void> {
    const answer = await control.getAudit({ query: { day } })
    if (isLeft() || isStale()) return
    setFailed(!answer.ok)
    if (!answer.ok) return void explain(answer.reply)
    announce('')
    setEntries(answer.value.entries.toSorted((a, b) => b.when - a.when))
  }

  useEffect(() => {
    let isStale = false
    setEntries(undefined)
    setFailed(false)
    void look(() => isStale)
    return () => {
      isStale = true
    }
  }, [day, tries])
  const time = (when: number) => exactMoment(when, voice.locale())
  const list = new Intl.ListFormat(voice.locale())
  const whoOf = ({ who, role }: AuditRow) => {
    if (role !== undefined) return `${who} · ${voice.t(`role.${role}`)}`
    return who === 'reconcile' ? voice.t('audit.system') : who
  }
  const columns: readonly Column<AuditRow[]>[] = [
    { heading: voice.t('audit.when'), cell: ([one]) => one && time(one.when) },
    { heading: voice.t('audit.who'), cell: (row) => list.format(new Set(row.map(whoOf))) },
    { heading: voice.t('audit.what'), cell: ([one]) => one && <strong>{actionText(voice, one.what)}</strong> },
    {
      heading: voice.t('audit.sale'),
      cell: ([one]) => (one?.saleId ? <a href={`#/sale/${one.saleId}`}>{one.saleId}</a> : '–'),
    },
    {
      heading: voice.t('audit.change'),
      cell: ([one, ...others]) =>
        others.length === 0 ? (
          one && <Changes changes={changesOf(voice, one)} />
        ) : (
          <details class="changes__all">
            <summary>
              <span class="changes__more">{voice.t('audit.course', { n: others.length })}</span>
            </summary>
            <ul class="changes">
              {[one, ...others].map(
                (step) =>
                  step && (
                    <li key={step.when}>
                      <span>{[time(step.when), whoOf(step)].join(' · ')}</span>{' '}
                      <strong>{actionText(voice, step.what)}</strong> <Changes changes={changesOf(voice, step)} />
                    </li>
                  ),
              )}
            </ul>
          </details>
        ),
    },
  ]
  return (
    <>
      <header class="console__head">
        <h1>{voice.t('console.audit')}</h1>
        <div class="field field--inline">
          <label for="audit-day">{voice.t('audit.day')}</label>
          <input type="date" id="audit-day" value={day} onChange={(event) => setDay(event.currentTarget.value)} />
        </div>
      </header>
      <div id="audit">
        {entries === undefined && <Pending {...{ hasFailed }} again={async () => setTries(tries + 1)} />}
        {entries?.length === 0 && <p class="empty">{voice.t('audit.empty')}</p>}
        {entries !== undefined && entries.length > 0 && (
          <DataTable columns={columns} rows={rowsOf(entries)} keyOf={JSON.stringify} />
        )}
      </div>
    </>
  )
}

/** The change in one line, which unfolds to the others: a new sale has all of its settings. */
function Changes({ changes }: { changes: readonly ChangeLine[] }) {
  const { voice } = useView()
  const [first] = changes
  if (first === undefined) return <>–</>
  const list = <ul class="changes">{changes.map(changeLine)}</ul>
  if (changes.length === 1) return list
  const { label, before, after } = gistOf(changes, first)
  return (
    <details class="changes__all">
      <summary>
        <span class="changes__gist">
          {label} {before !== undefined && <del>{before}</del>} {after !== undefined && <ins>{after}</ins>}
        </span>{' '}
        <span class="changes__more">{voice.t('audit.more', { n: changes.length - 1 })}</span>
      </summary>
      {list}
    </details>
  )
}

function changeLine({ label, before, after }: ChangeLine) {
  return (
    <li key={label}>
      <span>{label}</span> {before !== undefined && <del>{before}</del>} {after !== undefined && <ins>{after}</ins>}
    </li>
  )
}

/** One fact in words: what it was and what it is, each undefined where the entry has nothing. */
export type ChangeLine = { name: string; label: string; before: string | undefined; after: string | undefined }

type Facts = Readonly<Record<string, unknown>>
type Show = (value: unknown, voice: Translator, sale: SaleTerms) => string

/** Describes the action; an unknown one is returned as it is. */
export function actionText(voice: Pick<Translator, 't'>, what: string): string {
  const known = auditActions.find((action) => action === what)
  return known === undefined ? what : voice.t(`audit.what.${known}`)
}

/** Returns the changes in the order of the forms, without internal counters. */
export function changesOf(voice: Translator, { before, after }: Pick<AuditRow, 'before' | 'after'>): ChangeLine[] {
  const [was, is] = [factsIn(before), factsIn(after)]
  const text = (name: string) => [is[name], was[name]].find((known) => typeof known === 'string')
  const sale = { currency: text('currency'), timeZone: text('timeZone') }
  return Object.entries(auditFields).flatMap(([name, { label, show }]) => {
    const said = (facts: Facts) => (name in facts ? show(facts[name], voice, sale) : undefined)
    const line = { name, label: voice.t(label), before: said(was), after: said(is) }
    return line.before === line.after ? [] : [line]
  })
}

/** The change that says most in one line: of what is new or gone its title, or what it blocks, else the first. */
export function gistOf(changes: readonly ChangeLine[], first: ChangeLine): ChangeLine {
  const isComplete =
    changes.every(({ before }) => before === undefined) || changes.every(({ after }) => after === undefined)
  return (isComplete ? changes.find(({ name }) => name === 'title' || name === 'value') : undefined) ?? first
}

/** Steps in the course of a scheduled sale, most of which it takes by itself. */
const course: readonly string[] = ['warm', 'start', 'open', 'next-window', 'close', 'return', 'archive']

/** The entries of each row of the log: those of the course of a sale are one, where the newest of them is. */
export const rowsOf = (entries: readonly AuditRow[]): AuditRow[][] => [
  ...Map.groupBy(entries, ({ saleId, what }, at) => (course.includes(what) ? saleId : null) ?? at).values(),
]

const plain = (value: unknown, voice: Translator) =>
  typeof value === 'number' ? value.toLocaleString(voice.locale()) : String(value)
const moment: Show = (value, voice, sale) =>
  typeof value === 'number' ? saleMoment(voice, sale, value) : String(value)
const money: Show = (value, voice, sale) => settingText(voice, 'packets.totalAmount', value, sale)
const windows: Show = (value, voice, sale) =>
  (Array.isArray(value) ? value : [])
    .map(({ startsAt, endsAt, stock }) =>
      [moment(startsAt, voice, sale), '–', moment(endsAt, voice, sale), `(${plain(stock, voice)})`].join(' '),
    )
    .join('; ') || '–'
const variants: Show = (value, voice) =>
  (Array.isArray(value) ? value : []).map(({ name, stock }) => `${name} (${plain(stock, voice)})`).join('; ') || '–'
const list: Show = (value) => (Array.isArray(value) ? value : []).join(', ') || '–'
const nth: Show = (value, voice) => plain(Number(value) + 1, voice)
/** A word of the API, in the words of the page. */
const word =
  (words: Readonly<Record<string, Key>>): Show =>
  (value, voice) => {
    const key = words[String(value)]
    return key === undefined ? String(value) : voice.t(key)
  }

type Field = { label: Key; show: Show }

const settingFields = settingNames.map((name): [SettingName, Field] => [
  name,
  { label: wordsOf(name).label, show: (value, voice, sale) => settingText(voice, name, value, sale) },
])

type Named = Key extends infer Each ? (Each extends `audit.field.${infer Name}` ? Name : never) : never

/** Facts whose labels are called as they are. */
const named = (...names: readonly Named[]): Record<string, Field> =>
  Object.fromEntries(names.map((name) => [name, { label: `audit.field.${name}`, show: plain }]))

/** A fact by its name; of an object, by the path into it. */
export const auditFields: Readonly<Record<string, Field>> = {
  kind: {
    label: 'console.kind',
    show: word(
      Object.fromEntries([
        ...saleKinds.map((kind) => [kind, `kind.${kind}`] as const),
        ...blockKinds.map((kind) => [kind, `block.kind.${kind}`] as const),
      ]),
    ),
  },
  value: { label: 'audit.field.value', show: plain },
  reason: { label: 'audit.field.reason', show: plain },
  until: { label: 'audit.field.until', show: moment },
  entries: { label: 'audit.field.value', show: list },
  ...named(...auditFactsOfOptions),
  ...named('issuerName', 'issuer', 'signInUrl', 'jwksUrl'),
  keys: { label: 'audit.field.keys', show: list },
  ...Object.fromEntries(settingFields),
  windows: { label: 'window.title', show: windows },
  variants: { label: 'variant.title', show: variants },
  variant: { label: 'variants.name', show: plain },
  windowIndex: { label: 'window.present', show: nth },
  databases: { label: 'shards.title', show: list },
  warmed: { label: 'audit.field.warmed', show: word({ true: 'audit.yes', false: 'audit.no' }) },
  flag: {
    label: 'audit.field.flag',
    show: word({
      off: 'audit.flag.off',
      on: 'audit.flag.on',
      paused: 'console.phase.paused',
      closed: 'console.phase.ended',
    }),
  },
  epoch: { label: 'console.epoch', show: plain },
  orderId: { label: 'audit.field.order', show: plain },
  budget: { label: 'form.total', show: money },
  claimed: { label: 'live.claimed', show: money },
  returned: { label: 'live.returned', show: money },
  outcome: {
    label: 'audit.field.outcome',
    show: word({ failed: 'audit.outcome.failed', unfinished: 'audit.outcome.unfinished' }),
  },
  state: {
    label: 'audit.field.outcome',
    show: word({
      'in-step': 'audit.state.in-step',
      repaired: 'audit.state.repaired',
      'to-recover': 'audit.state.to-recover',
    }),
  },
  shipped: { label: 'order.status.shipped', show: plain },
  delivered: { label: 'order.status.delivered', show: plain },
  ...named('moved', 'left'),
}

const nested = new Set(settingNames.flatMap((name) => (name.includes('.') ? [name.split('.')[0]] : [])))

/** The facts by the names of `auditFields`. */
function factsIn(value: unknown): Facts {
  return Object.fromEntries(Object.entries(fieldsOf(value) ?? {}).flatMap(([name, fact]) => factsAt(name, fact)))
}

/** Each setting of a group with its fact, and any other fact as it is. */
function factsAt(name: string, fact: unknown): [string, unknown][] {
  const isGroup = nested.has(name.split('.')[0]) && !(name in auditFields)
  if (!isGroup || typeof fact !== 'object' || fact === null) return [[name, fact]]
  return Object.entries(fact).flatMap(([inner, of]) => factsAt(`${name}.${inner}`, of))
}
