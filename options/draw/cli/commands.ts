/** The command that shows the draw of a sale. */
import type { CommandsSeam } from '../../../cli/sale/context.ts'
import type { DrawView } from '../core/operations.ts'

export const commands = ((program, { reader, show }) => {
  program
    .command('draw <saleId>')
    .description('the draw of a sale: entrants, its round, offers and who stands by')
    .action(async (saleId: string) => show(await (await reader()).getDraw({ saleId }), drawLines))
}) satisfies CommandsSeam

function drawLines({ draw }: { draw: DrawView | null }): string {
  if (draw === null) return 'this sale draws nothing'
  const { phase, entrants, offers, waiting } = draw
  const rows: [string, string | undefined][] = [
    ['draw', phase],
    ['entrants', entrants === undefined ? undefined : String(entrants)],
    ['offers', `${offers.made} made, ${offers.bought} bought, ${offers.open} open, ${offers.ended} ended`],
    ['waiting', String(waiting)],
  ]
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(9)}${value}`])).join('\n')
}
