/** The greeting of a sale at the command line. */
import type { CommandsSeam } from '../../../cli/sale/context.ts'

export const commands = ((program, { reader, show }) => {
  program
    .command('greeting <saleId>')
    .description('the greeting of a sale')
    .action(async (saleId: string) =>
      show(await (await reader()).getSale({ saleId }), ({ greeting }) => greeting ?? 'this sale has no greeting'),
    )
}) satisfies CommandsSeam
