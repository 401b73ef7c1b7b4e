/** Where the shop's own systems receive events: the list, its form, and what was sent to each. */
import { useEffect, useState } from 'preact/hooks'
import type { BodyOf } from '../../../../../core/api/control-call.ts'
import { parse } from '../../../../../core/lib/parse.ts'
import { wordsListedIn } from '../../../../../core/lib/text.ts'
import { type Answer, control } from '../../../../../static/client/console/api.ts'
import { type Asked, announcedCall } from '../../../../../static/client/console/lib/ask-before.ts'
import { type Column, DataTable } from '../../../../../static/client/console/lib/data-table.tsx'
import { useEntryForm } from '../../../../../static/client/console/lib/entry-form.ts'
import { Form, TextField, verbatim } from '../../../../../static/client/console/lib/field.tsx'
import { NamedList, useNamedList } from '../../../../../static/client/console/lib/named-list.tsx'
import { useOneAtATime, WorkButton } from '../../../../../static/client/console/lib/work-button.tsx'
import { useView } from '../../../../../static/client/console/view.ts'
import {
  busScheme,
  type EndpointInput,
  type EndpointView,
  type EventDelivery,
  endpointInput,
  endpointName,
  type SavedEndpoint,
} from '../../../core/endpoint.ts'

type Shown = { name: string; secret: string }
type Log = { name: string; deliveries: readonly EventDelivery[] }

export function Events() {
  const context = useView()
  const { voice, may, announce } = context
  const { entries: endpoints, change } = useNamedList(control.listEventEndpoints, (read) => read.endpoints)
  const [shown, setShown] = useState<Shown>()
  const [log, setLog] = useState<Log>()

  /** True when the call has saved the endpoint. */
  async function save(call: () => Promise<Answer<SavedEndpoint>>, asked?: Asked): Promise<boolean> {
    const saved = await change(call, { said: voice.t('event.added'), ...(asked && { asked }) })
    if (saved?.secret) setShown({ name: saved.endpoint.name, secret: saved.secret })
    return saved !== undefined
  }

  const put = (name: string, body: BodyOf<'saveEventEndpoint'>) => save(() => control.saveEventEndpoint({ name, body }))

  async function test(name: string): Promise<void> {
    const answer = await announcedCall(context, control.testEventEndpoint({ name }))
    if (answer === undefined) return
    const { delivered, status } = answer
    if (status === null) return announce(voice.t('event.testLost'))
    announce(voice.t(delivered ? 'event.tested' : 'event.testFailed', { status }))
  }

  const question = (act: 'rotate' | 'remove', kind: 'main' | 'danger', name: string): Asked => ({
    title: voice.t(`event.${act}Ask`, { name }),
    effects: [voice.t(`event.${act}Effect`)],
    choice: { value: act, label: voice.t(`event.${act}`), kind },
  })
  const rotate = (name: string) => save(() => control.rotateEventSecret({ name }), question('rotate', 'main', name))

  async function remove(name: string): Promise<void> {
    const said = voice.t('event.removed', { name })
    const asked = question('remove', 'danger', name)
    const done = await change(() => control.deleteEventEndpoint({ name }), { asked, said, next: 'event.name' })
    if (done === undefined) return
    if (log?.name === name) setLog(undefined)
    if (shown?.name === name) setShown(undefined)
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

  // The button that makes a secret may be far below it, and it is shown only once.
  useEffect(() => document.querySelector('#event-secret')?.scrollIntoView({ block: 'center' }), [shown])
  return (
    <>
      <NamedList
        id="endpoints"
        title={voice.t('console.events')}
        text={voice.t('event.text')}
        empty={voice.t('event.empty')}
        entries={endpoints}
        form={may('saveEventEndpoint') && <EndpointForm add={put} />}
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
              <Endpoint key={endpoint.name} endpoint={endpoint} actions={{ openLog, test, rotate, remove, put }} />
            ))}
          </ul>
        )}
      </NamedList>
      {log !== undefined && <Deliveries log={log} replay={(delivery) => replay(log.name, delivery)} />}
    </>
  )
}

/** What saves the endpoint as it is, enabled or not. */
function inputOf({ url, types, sales }: EndpointView, enabled: boolean) {
  return { url, enabled, ...(types !== null && { types }), ...(sales !== null && { sales }) }
}

type Action = (name: string) => Promise<unknown>
type Actions = Record<'openLog' | 'test' | 'rotate' | 'remove', Action> & {
  put(name: string, body: BodyOf<'saveEventEndpoint'>): Promise<unknown>
}

function Endpoint({ endpoint, actions }: { endpoint: EndpointView; actions: Actions }) {
  const { voice, may } = useView()
  const { name, url, types, sales, state, formerSecretUntil } = endpoint
  const facts = [
    voice.t(`event.state.${state}`),
    types?.join(', ') ?? voice.t('event.all'),
    ...(sales ?? []),
    ...(formerSecretUntil === null ? [] : [voice.t('event.rotating', { time: voice.moment(formerSecretUntil) })]),
  ]
  const isEnabled = state === 'enabled'
  const enable = () => actions.put(name, inputOf(endpoint, !isEnabled))
  /** The buttons of several endpoints differ by the name of the endpoint. */
  const button = (id: string, label: string, look: 'plain' | 'danger', work: Action) => (
    <WorkButton id={`${id}-${name}`} look={look} aria-label={`${label}: ${name}`} work={() => work(name)}>
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
        {button('log', voice.t('event.log'), 'plain', actions.openLog)}
        {may('testEventEndpoint') && (
          <>
            {button('test', voice.t('event.test'), 'plain', actions.test)}
            {button('enable', voice.t(isEnabled ? 'event.disable' : 'event.enable'), 'plain', enable)}
            {!url.startsWith(busScheme) && button('rotate', voice.t('event.rotate'), 'plain', actions.rotate)}
            {button('remove', voice.t('event.remove'), 'danger', actions.remove)}
          </>
        )}
      </div>
    </li>
  )
}

const nothing = { name: '', url: '', types: '' }

/** `add` is true when the endpoint is saved; that empties the form. */
function EndpointForm({ add }: { add(name: string, body: EndpointInput): Promise<boolean> }) {
  const { voice } = useView()
  const [texts, setTexts] = useState(nothing)
  const words = (name: keyof typeof nothing) => ({
    label: voice.t(`event.${name}`),
    hint: voice.t(`event.hint.${name}`),
  })
  const { complain, input } = useEntryForm('event.', words, texts, setTexts)

  const [send] = useOneAtATime(async () => {
    const name = parse(endpointName, texts.name.trim())
    const types = wordsListedIn(texts.types)
    const read = parse(endpointInput, { url: texts.url.trim(), ...(types.length > 0 && { types }) })
    if (!name.ok) return complain('name', voice.t('event.wrong.name'))
    if (!read.ok) {
      const field = read.field.startsWith('types') ? 'types' : 'url'
      return complain(field, voice.t(`event.wrong.${field}`))
    }
    if (await add(name.value, read.value)) setTexts(nothing)
  })
  return (
    <Form class="form" id="endpoint-form" submit={send}>
      <TextField {...input('name')} {...verbatim} maxlength={32} />
      <TextField {...input('url')} {...verbatim} maxlength={1000} />
      <TextField {...input('types')} {...verbatim} />
      <button type="submit" class="button" id="add-endpoint">
        {voice.t('event.add')}
      </button>
    </Form>
  )
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
