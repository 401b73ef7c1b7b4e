/** Commands about the shop's own systems that receive events. */
import { Option } from 'commander'
import * as z from 'zod/mini'
import type { CommandsSeam } from '../../../cli/sale/context.ts'
import { validated } from '../../../cli/sale/definition.ts'
import { columns } from '../../../cli/sale/print.ts'
import { showTime } from '../../../cli/sale/time.ts'
import {
  type EndpointView,
  type EventDelivery,
  endpointInput,
  endpointName,
  type SavedEndpoint,
} from '../core/endpoint.ts'

type Flags = { types?: string; sales?: string; disable?: true; enable?: true }

const listIn = (text: string): string[] => text.split(',').map((part) => part.trim())

export const commands = ((program, { reader, writer, show }) => {
  const events = program.command('events').description("where the shop's own systems receive events, and what was sent")
  events
    .command('list [name]')
    .description('list the addresses that receive events or, with a name, what was sent there and what waits')
    .action(async (name: string | undefined) => {
      const client = await reader()
      if (name === undefined) return show(await client.listEventEndpoints(), endpointsTable)
      show(await client.listEventDeliveries({ name }), deliveriesTable)
    })
  events
    .command('add <name> <url>')
    .description('send events to that address; the secret of a new one is shown this once')
    .option('--types <list>', 'only these types of events, with commas between them')
    .option('--sales <list>', 'only events of these sales')
    .addOption(new Option('--disable', 'send nothing there until it is enabled').conflicts('enable'))
    .option('--enable', 'send again, also after the address has answered 410')
    .action(async (name: string, url: string, { types, sales, disable, enable }: Flags) => {
      validated(z.object({ name: endpointName }), { name })
      const body = validated(endpointInput, {
        url,
        ...(types !== undefined && { types: listIn(types) }),
        ...(sales !== undefined && { sales: listIn(sales) }),
        ...((disable ?? enable) && { enabled: disable === undefined }),
      })
      show(await (await writer()).saveEventEndpoint({ name, body }), secretOf)
    })
  events
    .command('remove <name>')
    .description('send no events there any more, also none that wait')
    .action(async (name: string) => {
      await (await writer()).deleteEventEndpoint({ name })
      show({ removed: name }, () => `${name} receives no events any more`)
    })
  events
    .command('rotate-secret <name>')
    .description('make a new secret, which is shown this once; the former one signs as well for a day')
    .action(async (name: string) => show(await (await writer()).rotateEventSecret({ name }), secretOf))
  events
    .command('test <name>')
    .description('post a test event to that address at once')
    .action(async (name: string) => {
      const answer = await (await writer()).testEventEndpoint({ name })
      const what = answer.status === null ? answer.failure : `it answers ${answer.status}`
      show(answer, () => (answer.delivered ? `delivered: ${what}` : `not delivered: ${what}`))
    })
  events
    .command('replay <name> <eventId>')
    .description('send an event once more that was delivered or given up')
    .action(async (name: string, eventId: string) => {
      const client = await writer()
      const { deliveries } = await client.listEventDeliveries({ name })
      const finishedAt = deliveries.find((one) => one.eventId === eventId && one.finishedAt !== null)?.finishedAt
      if (finishedAt === undefined || finishedAt === null) {
        throw new RangeError(`${eventId} is not among the newest events that were sent to ${name}`)
      }
      await client.replayEventDelivery({ name, body: { eventId, finishedAt } })
      show({ replayed: eventId }, () => `${eventId} is sent to ${name} once more`)
    })
}) satisfies CommandsSeam

function secretOf({ endpoint, secret }: SavedEndpoint): string {
  const table = endpointsTable({ endpoints: [endpoint] })
  return secret === null ? table : `${table}\nIts secret, which is not shown again: ${secret}`
}

function endpointsTable({ endpoints }: { endpoints: readonly EndpointView[] }): string {
  if (endpoints.length === 0) return 'No address receives events yet.'
  return columns(
    ['NAME', 'STATE', 'ADDRESS', 'TYPES', 'SALES'],
    endpoints.map(({ name, state, url, types, sales }) => [
      ...[name, state, url, types?.join(',') ?? 'all', sales?.join(',') ?? 'all'],
    ]),
  )
}

function deliveriesTable({ deliveries }: { deliveries: readonly EventDelivery[] }): string {
  if (deliveries.length === 0) return 'Nothing was sent there yet.'
  return columns(
    ['HAPPENED', 'TYPE', 'EVENT', 'STATE', 'TRIES', 'ANSWER'],
    deliveries.map(({ at, type, eventId, state, tries, status, failure, nextAt }) => [
      ...[showTime(at), type, eventId],
      nextAt === null ? state : `again ${showTime(nextAt)}`,
      ...[String(tries), status === null ? (failure ?? '-') : String(status)],
    ]),
  )
}
