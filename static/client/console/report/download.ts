/** Saves a table of a sale as a file, put together here from the parts in which it comes. */

import { saveFile } from '../../lib/save-file.ts'
import { getTablePart, type TableName } from '../api.ts'
import { failureText, type ViewContext } from '../view.ts'

/** The browser keeps each part outside of the page's own memory. */
export async function downloadTable(
  { voice, announce }: ViewContext,
  table: TableName,
  saleId: string,
  hasLeft: () => boolean,
): Promise<void> {
  const parts: Blob[] = []
  let after: string | null = ''
  while (after !== null) {
    announce(voice.t('do.loadingPart', { n: parts.length + 1 }))
    const answer = await getTablePart(table, saleId, after)
    if (hasLeft()) return
    if (!answer.ok) return announce(failureText(voice, answer.reply))
    parts.push(new Blob([answer.value.text]))
    after = answer.value.next
  }
  saveFile(new Blob(parts, { type: 'text/csv' }), `${saleId}-${table}.csv`)
  announce(voice.t('do.done'))
}
