/** `npm run check -- missing-texts`: what each file of `languages/` lacks; readers see these texts in English. With tags, those languages alone. */
import { languageTags, missingTexts } from '../templates/messages/language-files.ts'

const named = process.argv.slice(2)
const unknown = named.filter((tag) => !languageTags.includes(tag))
if (unknown.length > 0) {
  console.error(`languages/ has no ${unknown.join(', ')}; it has ${languageTags.join(', ')}`)
  process.exitCode = 1
}
for (const language of languageTags.filter((tag) => named.length === 0 || named.includes(tag))) {
  const missing = missingTexts(language)
  console.log(`languages/${language}.json: ${missing.length} missing`)
  for (const id of missing) console.log(`  ${id}`)
}
