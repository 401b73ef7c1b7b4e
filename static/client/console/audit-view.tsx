/** Who changed what, one day at a time, newest first. */
import { useEffect, useState } from 'preact/hooks'
import type { AuditRow } from '../../../core/api/control-answers.ts'
import { control } from './api.ts'
import { actionText, type ChangeLine, changesOf, gistOf, rowsOf } from './audit-text.ts'
import { type Column, DataTable } from './lib/data-table.tsx'
import { useView } from './view.ts'

export function Audit() {
  const { voice, announce, explain, isLeft } = useView()
  const [day, setDay] = useState(new Date().toISOString().slice(0, 10))
  const [entries, setEntries] = useState<readonly AuditRow[]>()

  async function look(isStale: () => boolean): Promise<void> {
    const answer = await control.getAudit({ query: { day } })
    if (isLeft() || isStale()) return
    if (!answer.ok) return void explain(answer.reply)
    announce('')
    setEntries(answer.value.entries.toSorted((a, b) => b.when - a.when))
  }

  useEffect(() => {
    let isStale = false
    void look(() => isStale)
    return () => {
      isStale = true
    }
  }, [day])
  const time = new Intl.DateTimeFormat(voice.locale(), { dateStyle: 'medium', timeStyle: 'medium' })
  const whoOf = ({ who, role }: AuditRow) => {
    if (role !== undefined) return `${who} (${voice.t(`role.${role}`)})`
    return who === 'reconcile' ? voice.t('audit.system') : who
  }
  const columns: readonly Column<AuditRow[]>[] = [
    { heading: voice.t('audit.when'), cell: ([one]) => one && time.format(one.when) },
    { heading: voice.t('audit.who'), cell: (row) => [...new Set(row.map(whoOf))].join(', ') },
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
                      <span>{[time.format(step.when), whoOf(step)].join(' · ')}</span>{' '}
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
