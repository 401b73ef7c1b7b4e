/** Exports and erases all that the shop holds of one shopper, for staff who is asked to. */
import type { PersonData } from '../../../../core/api/own-data.ts'
import type { ShopperId } from '../../../../core/ids.ts'
import { ownDataMessages, shopperMessages } from '../../../messages/catalogues.ts'
import { erasureText, type PersonWords, savePerson } from '../../people/person-page.ts'
import { erasePerson, exportPerson } from '../api.ts'
import { askBefore } from '../lib/ask-before.ts'
import { WorkButton } from '../lib/work-button.tsx'
import { useViewWith } from '../view-place.ts'

export function PersonPanel({ shopperId }: { shopperId: ShopperId }) {
  const { voice, announce, explain } = useViewWith({ ...ownDataMessages, ...shopperMessages })
  const words = (): PersonWords => ({
    ...{ say: voice.t, time: (ms) => voice.farMoment(ms) },
    ...{ language: voice.language(), direction: document.documentElement.dir },
  })

  async function read(): Promise<PersonData | undefined> {
    const answer = await exportPerson(shopperId)
    if (!answer.ok) explain(answer.reply)
    return answer.ok ? answer.value : undefined
  }

  async function save(format: 'json' | 'html'): Promise<void> {
    const data = await read()
    if (data !== undefined) savePerson(words(), data, format)
  }

  async function erase(): Promise<void> {
    const data = await read()
    if (data === undefined) return
    const effects = erasureText(words(), data.kept)
    const choice = { value: 'erase', label: voice.t('person.erase'), kind: 'danger' } as const
    if (!(await askBefore(voice, { title: voice.t('person.ask'), effects, choice }))) return
    const answer = await erasePerson(shopperId)
    if (!answer.ok) return void explain(answer.reply)
    announce(voice.t(answer.value.erased.length === 0 ? 'person.nothing' : 'person.erased'))
  }

  return (
    <>
      <h3>{voice.t('shopper.person')}</h3>
      <div class="actions" id="person">
        <WorkButton id="person-html" look="plain" work={() => save('html')}>
          {voice.t('person.html')}
        </WorkButton>
        <WorkButton id="person-json" look="plain" work={() => save('json')}>
          {voice.t('person.json')}
        </WorkButton>
        <WorkButton id="person-erase" look="danger" work={erase}>
          {voice.t('person.erase')}
        </WorkButton>
      </div>
    </>
  )
}
