/** The page of event endpoints: the list, its form, and the deliveries to each. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Answer, control } from '../../../console/api.ts'
import { type Asked, announcedCall } from '../../../console/parts/ask-before.ts'
import { type Column, DataTable } from '../../../console/parts/data-table.tsx'
import { TextField, verbatim } from '../../../console/parts/field.tsx'
import { type EntryRead, NamedList, useNamedEntries } from '../../../console/parts/named-list.tsx'
import { WorkButton } from '../../../console/parts/work-button.tsx'
import { useView } from '../../../console/view.ts'
import { parse } from '../../../core/lib/parse.ts'
import { splitWords } from '../../../core/lib/text.ts'
import {
  busScheme,
  type EndpointInput,
  type EndpointView,
  type EventDelivery,
  endpointInput,
  endpointName,
  type SavedEndpoint,
} from '../core/endpoint.ts'

type Shown = { name: string; secret: string }
type Log = { name: string; deliveries: readonly EventDelivery[] }

export function Events() {
  const context = useView()
  const { voice, may, announce } = context
  const [shown, setShown] = useState<Shown>()
  const [log, setLog] = useState<Log>()

  /** Shows the secret that the call created. */
  async function showSecret(call: Promise<Answer<SavedEndpoint>>): Promise<Answer<SavedEndpoint>> {
    const answer = await call
    if (answer.ok && answer.value.secret) setShown({ name: answer.value.endpoint.name, secret: answer.value.secret })
    return answer
  }

  const list = useNamedEntries({
    ...{ list: 'event', id: 'endpoint', nothing, read: readEndpoint, remove },
    all: control.listEventEndpoints,
    save: (entry) => showSecret(control.saveEventEndpoint(entry)),
    entriesOf: (read) => read.endpoints,
    words: (field: Field) => ({ label: voice.t(`event.${field}`), hint: voice.t(`event.hint.${field}`) }),
  })

  async function remove({ name }: { name: string }) {
    const answer = await control.deleteEventEndpoint({ name })
    if (answer.ok && log?.name === name) setLog(undefined)
    if (answer.ok && shown?.name === name) setShown(undefined)
    return answer
  }

  const save = (call: () => Promise<Answer<SavedEndpoint>>, asked?: Asked) =>
    list.change(() => showSecret(call()), { said: voice.t('event.saved'), ...(asked && { asked }) })

  async function test(name: string): Promise<void> {
    const answer = await announcedCall(context, control.testEventEndpoint({ name }))
    if (answer === undefined) return
    const { delivered, status } = answer
    if (status === null) return announce(voice.t('event.testLost'))
    announce(voice.t(delivered ? 'event.tested' : 'event.testFailed', { status }))
  }

  async function openLog(name: string): Promise<void> {
    const answer = await announcedCall(context, control.listEventDeliveries({ name }))
    if (answer === undefined) return
    announce('')
    setLog({ name, deliveries: answer.deliveries })
  }

  async function replay(name: string, { eventId, finishedAt }: EventDelivery): Promise<void> {
    if (finishedAt === null) return
    const call = control.replayEventDelivery({ name, body: { eventId, finishedAt } })
    if ((await announcedCall(context, call)) === undefined) return
    await openLog(name)
    announce(voice.t('event.replayed'))
  }

  // The button that creates a secret may be far below, and the secret is shown only once.
  useEffect(() => document.querySelector('#event-secret')?.scrollIntoView({ block: 'center' }), [shown])
  const fields = (
    <>
      <TextField {...list.input('name')} {...verbatim} maxlength={32} />
      <TextField {...list.input('url')} {...verbatim} maxlength={1000} />
      <TextField {...list.input('types')} {...verbatim} />
    </>
  )
  return (
    <>
      <NamedList
        {...list.page}
        title={voice.t('console.events')}
        form={may('saveEventEndpoint') && list.form(fields)}
        between={
          shown !== undefined && (
            <section class="panel" role="status" id="event-secret">
              <p>{voice.t('event.secret', { name: shown.name })}</p>
              <code>{shown.secret}</code>
            </section>
          )
        }
      >
        {(all) => (
          <ul class="blocks" aria-label={voice.t('console.events')}>
            {all.map((endpoint) => (
              <Endpoint key={endpoint.name} {...{ endpoint, openLog, test, save }}>
                {list.removeButton(endpoint.name)}
              </Endpoint>
            ))}
          </ul>
        )}
      </NamedList>
      {log !== undefined && <Deliveries log={log} replay={(delivery) => replay(log.name, delivery)} />}
    </>
  )
}

/** Returns the input that saves the endpoint unchanged, but enabled or disabled. */
function inputOf({ url, types, sales }: EndpointView, enabled: boolean) {
  return { url, enabled, ...(types !== null && { types }), ...(sales !== null && { sales }) }
}

type Action = (name: string) => Promise<unknown>
type EndpointProps = {
  endpoint: EndpointView
  openLog: Action
  test: Action
  save(call: () => Promise<Answer<SavedEndpoint>>, asked?: Asked): Promise<unknown>
  children: ComponentChildren
}

function Endpoint({ endpoint, openLog, test, save, children }: EndpointProps) {
  const { voice, may } = useView()
  const { name, url, types, sales, state, formerSecretUntil } = endpoint
  const facts = [
    voice.t(`event.state.${state}`),
    types?.join(', ') ?? voice.t('event.all'),
    ...(sales ?? []),
    ...(formerSecretUntil === null ? [] : [voice.t('event.rotating', { time: voice.moment(formerSecretUntil) })]),
  ]
  const isEnabled = state === 'enabled'
  const enable = () => save(() => control.saveEventEndpoint({ name, body: inputOf(endpoint, !isEnabled) }))
  function rotate() {
    const choice = { value: 'rotate', label: voice.t('event.rotate'), kind: 'main' } as const
    const asked = { title: voice.t('event.rotateAsk', { name }), effects: [voice.t('event.rotateEffect')], choice }
    return save(() => control.rotateEventSecret({ name }), asked)
  }
  /** The buttons of several endpoints differ by the name of the endpoint. */
  const button = (id: string, label: string, work: Action) => (
    <WorkButton id={`${id}-${name}`} look="plain" aria-label={`${label}: ${name}`} work={() => work(name)}>
      {label}
    </WorkButton>
  )
  return (
    <li data-endpoint={name}>
      <div>
        <strong>{name}</strong>
        <small>{url}</small>
        <small>{facts.join(' · ')}</small>
      </div>
      <div class="row">
        {button('log', voice.t('event.log'), openLog)}
        {may('testEventEndpoint') && (
          <>
            {button('test', voice.t('event.test'), test)}
            {button('enable', voice.t(isEnabled ? 'event.disable' : 'event.enable'), enable)}
            {!url.startsWith(busScheme) && button('rotate', voice.t('event.rotate'), rotate)}
            {children}
          </>
        )}
      </div>
    </li>
  )
}

const nothing = { name: '', url: '', types: '' }

type Field = keyof typeof nothing

function readEndpoint(texts: typeof nothing): EntryRead<Field, EndpointInput> {
  const name = parse(endpointName, texts.name.trim())
  if (!name.ok) return { ok: false, field: 'name', words: 'event.wrong.name' }
  const types = splitWords(texts.types)
  const read = parse(endpointInput, { url: texts.url.trim(), ...(types.length > 0 && { types }) })
  if (read.ok) return { ok: true, name: name.value, input: read.value }
  const field = read.field.startsWith('types') ? 'types' : 'url'
  return { ok: false, field, words: `event.wrong.${field}` }
}

function Deliveries({ log, replay }: { log: Log; replay(delivery: EventDelivery): Promise<void> }) {
  const { voice, may } = useView()
  const { name, deliveries } = log
  const stateOf = ({ state, nextAt }: EventDelivery) =>
    nextAt === null ? voice.t(`event.${state}`) : voice.t('event.again', { time: voice.moment(nextAt) })
  const columns: readonly Column<EventDelivery>[] = [
    { heading: voice.t('event.column.at'), cell: ({ at }) => voice.moment(at) },
    { heading: voice.t('event.column.type'), cell: ({ type }) => type },
    { heading: voice.t('event.column.event'), cell: ({ eventId }) => eventId },
    { heading: voice.t('event.column.state'), cell: stateOf },
    { heading: voice.t('event.column.tries'), cell: ({ tries }) => tries },
    {
      heading: voice.t('event.column.answer'),
      cell: ({ status, failure }) => status ?? failure ?? voice.t('event.noAnswer'),
    },
    {
      heading: voice.t('event.replay'),
      cell: (delivery) =>
        delivery.finishedAt !== null &&
        may('replayEventDelivery') && (
          <WorkButton
            look="plain"
            aria-label={voice.t('event.replayOf', { event: delivery.eventId })}
            work={() => replay(delivery)}
          >
            {voice.t('event.replay')}
          </WorkButton>
        ),
    },
  ]
  return (
    <section id="deliveries">
      <h2>{voice.t('event.logOf', { name })}</h2>
      {deliveries.length === 0 && <p class="empty">{voice.t('event.logEmpty')}</p>}
      {deliveries.length > 0 && (
        <DataTable
          columns={columns}
          rows={deliveries}
          keyOf={({ eventId, finishedAt }) => `${eventId} ${finishedAt}`}
        />
      )}
    </section>
  )
}
