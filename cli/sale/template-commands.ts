/** Templates at the command line. */
import type { Command } from 'commander'
import type { SaleDefinition } from '../../core/sale/sale.ts'
import { parseTemplateName, type Template } from '../../core/sale/template.ts'
import type { Context } from './context.ts'
import { columns } from './print.ts'
import { showTime } from './time.ts'

export function addTemplateCommands(program: Command, { reader, changer, show }: Context): void {
  program
    .command('templates')
    .description('list the templates that new sales can begin with')
    .action(async () => show({ templates: await (await reader()).templates() }, templatesTable))
  program
    .command('template <saleId> <name>')
    .description('keep the fields of a sale as a template; it replaces the one of that name')
    .action(async (saleId: string, name: string) => {
      const kept = await (await changer()).keepTemplate(name, saleId)
      show(kept, () => `${kept.name} is a template`)
    })
  program
    .command('delete-template <name>')
    .description('delete a template')
    .action(async (name: string) => {
      await (await changer()).removeTemplate(name)
      show({ deleted: name }, () => `${name} is deleted`)
    })
}

/**
 * The definition in the template of that name.
 * @throws RangeError when there is no such template, or it is of another version
 */
export function definitionIn(templates: readonly Template[], given: string): SaleDefinition {
  const name = parseTemplateName(given)
  const found = templates.find((template) => template.name === name)
  if (found === undefined) throw new RangeError(`there is no template "${given}"; list them with: templates`)
  if (found.definition !== null) return found.definition
  throw new RangeError(`the template "${given}" was saved by another version; save it again from a sale`)
}

function templatesTable({ templates }: { templates: readonly Template[] }): string {
  if (templates.length === 0) return 'No templates yet.'
  const rows = templates.map(({ name, savedAt, definition }) => [
    ...[name, definition?.kind ?? '-', definition?.title ?? 'of another version', showTime(savedAt)],
  ])
  return columns(['NAME', 'KIND', 'TITLE', 'SAVED'], rows)
}
