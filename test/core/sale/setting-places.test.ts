/**
 * The files that have an entry for each setting of a sale, read as text: most modules that import them cannot even be loaded
 * while an entry is missing, and their tests then name no place.
 */
import { expect, it } from 'vitest'
import { repository } from '../../../checks/tree.ts'
import { optionFields } from '../../../core/options.ts'
import { type SettingName, settingNames, settingOf } from '../../../core/sale/settings.ts'

/** Their words go by their names, and `npm run check` finds their rows on their own pages. */
const ofOptions = new Set(optionFields.flatMap(({ settings }) => Object.keys(settings)))
const isOfEngine = (name: SettingName) => !ofOptions.has(name)
const hasDefault = (name: SettingName) => settingOf(name).default !== undefined
const isOfGate = (name: SettingName) => settingOf(name).gate === true
const isOfGateByDefault = (name: SettingName) => isOfGate(name) && hasDefault(name)

const property = (name: string) => new RegExp(`^  '?${name}'?: `, 'm')
const row = (name: string) => new RegExp(`^\\| \`${name}\` \\|`, 'm')
const field = (name: string) => new RegExp(`\\b${name.split('.')[0]}\\b`)

/** A file, how the entry of a setting begins there, and which settings need one. */
const places: [file: string, entry: (name: string) => RegExp, isFor: (name: SettingName) => boolean][] = [
  ['console/sale/setting-words.ts', property, isOfEngine],
  ['docs/reference/http-api.md', row, isOfEngine],
  ['static/api/examples.ts', field, hasDefault],
  ['redis/gate/gate.ts', field, isOfGate],
  ['test/edge/support.ts', field, isOfGateByDefault],
  ['test/redis/gate/gate.test.ts', field, isOfGateByDefault],
  ['test/functions/settings/choices.ts', field, isOfGateByDefault],
]

it('every setting has an entry in each file that needs one', () => {
  const missing = places.flatMap(([file, entry, isFor]) =>
    settingNames
      .filter((name) => isFor(name) && !entry(name).test(repository.text(file)))
      .map((name) => `${name} has no entry in ${file}`),
  )
  expect(missing).toEqual([])
})
