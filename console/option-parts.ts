/** The parts that options add to the console. Its first screen does not load them. */
import type { ComponentType } from 'preact'
import { joined, mergedOf } from '../core/lib/fold.ts'
import type { optionSettingsPages } from '../core/options.ts'
import { consoleParts } from '../options/registry/console-parts.ts'
import type { ConsolePartsSeam } from './seams.ts'

export const partsOfOptions: readonly ConsolePartsSeam[] = Object.values(consoleParts)

export const auditFactsOfOptions = joined(consoleParts, 'auditFacts')

type Load = () => Promise<ComponentType>
const pages: Readonly<Record<keyof typeof optionSettingsPages, Load>> = mergedOf(consoleParts, 'settings')
const pagesByName: ReadonlyMap<string, Load> = new Map(Object.entries<Load>(pages))

/** @throws for a name that is no page of an option */
export function loadSettingsPage(name: string): Promise<ComponentType> {
  const load = pagesByName.get(name)
  if (load === undefined) throw new Error(`${name} is no page of an option`)
  return load()
}
