/** The commands of an operator as processes, with a small program in the place of `aws`, and settings that are wrong. */
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { choicesFile } from '../../../infra/settings/choices.ts'
import { newFolder } from '../../folders.ts'

const account = `case "$2" in
get-caller-identity) echo '{"Account":"123456789012"}';;
*) echo "An error occurred (ResourceNotFoundException)" >&2; exit 254;;
esac`

function setupWith(input: string) {
  const folder = newFolder('aws')
  writeFileSync(join(folder, 'aws'), `#!/bin/sh\ncat > /dev/null\n${account}\n`)
  chmodSync(join(folder, 'aws'), 0o755)
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  return spawnSync(process.execPath, ['cli/setup.ts', '--stage', 'small'], { input, env, encoding: 'utf8' })
}

describe('setup without a terminal', () => {
  it.each([
    ['has no answer', '', 'Email address for alarms: '],
    [
      'has some answers, and ends',
      'night@shop.example\n',
      'Email address for alarms: Domain of the shop (Enter: none, it gets an address of CloudFront): ',
    ],
    [
      'ends at a hidden answer',
      'night@shop.example\n\n',
      'Stripe’s restricted key (rk_…; Enter: a trial that simulates payments): \n',
    ],
  ])('ends with one line where its input %s', (_, input, asked) => {
    const { status, stdout, stderr } = setupWith(input)
    expect([status, stderr]).toEqual([1, ''])
    expect(stdout).toMatch(/^✓ account 123456789012\n/)
    expect(stdout.endsWith(`${asked}✗ the input has ended before this answer: run the command again\n`)).toBe(true)
  })
})

it('a wrong field in the settings of a stage is one line of every command', () => {
  const file = join(newFolder('settings'), 'small.json')
  writeFileSync(file, '{"alarmEmail":5}')
  const { href } = new URL('.', choicesFile('small'))
  const program = `import { exitOnWrongSettings, readChoices } from '${href}choices.ts'; exitOnWrongSettings(() => readChoices(new URL('${pathToFileURL(file).href}')))`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, `✗ ${file}: alarmEmail must be an email address, such as alarms@shop.example\n`])
})
