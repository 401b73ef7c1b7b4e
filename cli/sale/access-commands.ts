/** Commands about who may buy: the block list, the passes, and the local sign-in. */
import type { Command } from 'commander'
import { type Block, blockKinds, parseBlock } from '../../core/gate/block.ts'
import { localToken } from '../control-client.ts'
import type { Context } from './context.ts'
import { blocksTable } from './print.ts'

export function addAccessCommands(program: Command, { target, reader, changer, show }: Context): void {
  program
    .command('me')
    .description('who the token is of, and its roles')
    .action(async () => show(await (await reader()).me(), ({ who, roles }) => `${who}: ${roles.join(', ')}`))
  program
    .command('blocklist')
    .description('list blocked shoppers, staff, IP addresses and keys')
    .action(async () => show(await (await reader()).blocklist(), blocksTable))
  program
    .command('block <kind> <value>')
    .description(
      'block a shopper or member of staff (shopper <id>), an IP address or range (ip 10.0.0.0/8), a key of sessions (session-key <kid>) or of a shop (shop-key <name>)',
    )
    .option('--force', 'block even a range wider than /8 (IPv4) or /19 (IPv6)')
    .action(async (kind: string, value: string, { force = false }: { force?: boolean }) => {
      const block = readBlock(kind, value)
      show(
        await (await changer()).block(block, { force }),
        () => `${block.value} is blocked, everywhere within 2 seconds`,
      )
    })
  program
    .command('unblock <kind> <value>')
    .description('unblock a shopper ID, IP address, range or key')
    .action(async (kind: string, value: string) => {
      const block = readBlock(kind, value)
      await (await changer()).unblock(block)
      show({ unblocked: block }, () => `${block.value} is unblocked (in force everywhere within 2 seconds)`)
    })
  program
    .command('rotate-pass-keys')
    .description('replace the keys of passes at once, after one has leaked; takes ten seconds')
    .action(async () =>
      show(
        { rotatedAt: await (await changer()).rotatePassKeys() },
        () => 'the gate refuses every earlier pass within 2 seconds',
      ),
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

/** @throws RangeError for a kind or value that cannot be blocked */
function readBlock(kind: string, value: string): Block {
  const block = parseBlock(kind, value)
  if (block !== undefined) return block
  if (kind === 'shopper') throw new RangeError(`"${value}" is not a shopper ID`)
  if (kind === 'ip') throw new RangeError(`"${value}" is not an IP address or a range such as 10.0.0.0/8`)
  if (kind === 'session-key') throw new RangeError(`"${value}" is not the ID (kid) of a session key`)
  if (kind === 'shop-key') throw new RangeError(`"${value}" is not the name of a shop key`)
  throw new RangeError(`"${kind}" cannot be blocked: use ${blockKinds.join(', ')}`)
}
