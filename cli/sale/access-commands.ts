/** Commands about who may buy: the block list, the passes, and the local sign-in. */
import type { Command } from 'commander'
import { maxBlocksOfImport } from '../../core/api/blocks.ts'
import { type Block, type BlockKind, blockKinds, networkBlock, parseBlock } from '../../core/gate/block.ts'
import { readBlockFile } from '../../core/gate/block-file.ts'
import { sendChanges } from '../../core/lib/slices.ts'
import { counted } from '../../core/lib/text.ts'
import { consoleViewMessages } from '../../templates/messages/catalogues.ts'
import { words } from '../../templates/messages/text.ts'
import { localToken, retryOnce } from '../control-client.ts'
import type { Context } from './context.ts'
import { readCsvFile } from './csv-file.ts'
import { blocksTable } from './print.ts'
import { readTime } from './time.ts'

type BlockFlags = { force?: boolean; reason?: string; until?: string }

export function addAccessCommands(program: Command, { ports, target, reader, writer, show }: Context): void {
  program
    .command('me')
    .description('who the token is of, and its roles')
    .action(async () => show(await (await reader()).whoAmI(), ({ who, roles }) => `${who}: ${roles.join(', ')}`))
  const blocks = program.command('block').description('who the gate refuses: shoppers, staff, IP addresses and keys')
  blocks
    .command('list')
    .description('list blocked shoppers, staff, IP addresses and keys')
    .action(async () => show((await (await reader()).listBlocks()).entries, blocksTable))
  blocks
    .command('add <kind> <value>')
    .description(
      'block a shopper or member of staff (shopper <id>), an IP address or range (ip 10.0.0.0/8), a key of sessions (session-key <kid>) or of a shop (shop-key <name>)',
    )
    .option('--force', 'block even a range wider than /8 (IPv4) or /19 (IPv6)')
    .option('--reason <text>', 'why, for the other staff')
    .option('--until <time>', 'when the entry expires')
    .action(async (kind: string, value: string, { force = false, reason, until }: BlockFlags) => {
      const block = readBlock(kind, value)
      const terms = { ...(reason && { reason }), ...(until && { until: readTime(until, Date.now()) }) }
      const blocked = await (await writer()).block({ ...block, query: force ? { force: 'true' } : {}, body: terms })
      const network = networkBlock(block)
      const more = network ? `\nIt is one address of ${network.value}, and its device changes it: block all` : ''
      show(blocked, () => `${block.value} is blocked, everywhere within 2 seconds${more}`)
    })
  blocks
    .command('import <csv>')
    .description('block all of a CSV file with the columns kind and value, and if you like reason and until')
    .option('--dry-run', 'say how many entries would change, and change nothing')
    .action(async (path: string, { dryRun = false }: { dryRun?: boolean }) => {
      const file = await readCsvFile(path, (bytes) => readBlockFile(bytes, Date.now()))
      const { entries, refused, ignored } = file
      const control = await (dryRun ? reader() : writer())
      const step = ports.startStep('entries', entries.length)
      const send = (some: typeof entries) => retryOnce(() => control.importBlocks({ body: { entries: some, dryRun } }))
      const sent = sendChanges(entries, maxBlocksOfImport, send, (done) => step.to(done))
      const { changed } = await sent.finally(() => step.end())
      show({ changed, refused, ignored }, () =>
        [
          `${changed} ${dryRun ? 'to block' : 'blocked'}`,
          ...refused.map(
            ({ line, text, code }) =>
              `line ${line}: ${text}: ${words(consoleViewMessages[`blocks.line.${code}`], 'en')}`,
          ),
        ].join('\n'),
      )
      if (refused.length > 0) throw new RangeError(`${counted(refused.length, 'line')} cannot be imported`)
    })
  blocks
    .command('remove <kind> <value>')
    .description('unblock a shopper ID, IP address, range or key')
    .action(async (kind: string, value: string) => {
      const block = readBlock(kind, value)
      await (await writer()).unblock({ ...block })
      show({ unblocked: block }, () => `${block.value} is unblocked (in force everywhere within 2 seconds)`)
    })
  program
    .command('rotate-pass-keys')
    .description('replace the keys of passes at once, after one has leaked; takes ten seconds')
    .action(async () =>
      show(await (await writer()).rotatePassKeys(), () => 'the gate refuses every earlier pass within 2 seconds'),
    )
  program
    .command('sign-in [shopperId]')
    .description('get a token from the local sign-in')
    .option('--role <role...>', 'roles of the token, such as marketer')
    .action(async (shopperId: string | undefined, { role }: { role?: string[] }) => {
      const roles = role ?? (shopperId ? [] : ['marketer'])
      const token = await localToken((await target()).url, shopperId ?? 'marketer', roles)
      show({ token }, (answer) => answer.token)
    })
}

const values = {
  shopper: 'a shopper ID',
  ip: 'an IP address or a range such as 10.0.0.0/8',
  'session-key': 'the ID (kid) of a session key',
  'shop-key': 'the name of a shop key',
} as const satisfies Record<BlockKind, string>

/** @throws RangeError for a kind or value that cannot be blocked */
function readBlock(text: string, value: string): Block {
  const kind = blockKinds.find((one) => one === text)
  if (kind === undefined) throw new RangeError(`"${text}" cannot be blocked: use ${blockKinds.join(', ')}`)
  const block = parseBlock(kind, value)
  if (block === undefined) throw new RangeError(`"${value}" is not ${values[kind]}`)
  return block
}
