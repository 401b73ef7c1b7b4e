import { expect, it } from 'vitest'
import { settingsOf, wordsOf } from '../../../../console/sale/setting-words.ts'
import { words } from '../../../../templates/messages/text.ts'
import { consoleTexts, voice } from '../../../../test/console/voices.ts'
import { aSale } from '../../../../test/redis/support.ts'

it('a sale that draws lists all settings of its draw', () => {
  const draw = { opensAt: 1, closesAt: 2, commitSeconds: 120, claimSeconds: 60 }
  const labels = settingsOf(voice, aSale({ draw })).map(([label]) => label)
  const own = ['draw.opensAt', 'draw.closesAt', 'draw.commitSeconds', 'draw.claimSeconds'] as const
  expect(labels).toEqual(expect.arrayContaining(own.map((name) => words(consoleTexts[wordsOf(name).label], 'en'))))
})
