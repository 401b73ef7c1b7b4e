/** Keeps a sale as a template under a name, and says which one it replaces. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Sale, textIn } from '../../../../core/sale/sale.ts'
import { maxTemplateName, parseTemplateName, type Template } from '../../../../core/sale/template.ts'
import { getLive, keepTemplate, listTemplates } from '../api.ts'
import { Form, TextField, useComplaint } from '../lib/field.tsx'
import { useOneAtATime } from '../lib/work-button.tsx'
import { failureText, type ViewContext } from '../view.ts'
import { useView } from '../view-place.ts'

export async function openTemplate(context: ViewContext, saleId: string): Promise<void> {
  const [live, templates] = await Promise.all([getLive(saleId), listTemplates()])
  if (context.isLeft()) return
  if (!live.ok) context.explain(live.reply)
  else if (!templates.ok) context.explain(templates.reply)
  else context.draw(<TemplateForm sale={live.value.sale} templates={templates.value.templates} />)
}

function TemplateForm({ sale, templates }: { sale: Sale; templates: readonly Template[] }) {
  const { voice, announce, isLeft } = useView()
  const { title } = textIn(sale, voice.language())
  const [text, setText] = useState(parseTemplateName(title.slice(0, maxTemplateName)) ?? sale.saleId)
  const [saved, setSaved] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const name = parseTemplateName(text)
  const former = templates.find((one) => one.name === name)
  const [isWrong, complain] = useComplaint(name !== undefined)
  const most = { n: maxTemplateName }

  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const [send] = useOneAtATime(async () => {
    if (name === undefined) {
      complain()
      return input.current?.focus()
    }
    announce(voice.t('do.working'))
    const answer = await keepTemplate(name, sale.saleId)
    if (isLeft()) return
    if (!answer.ok) return announce(failureText(voice, answer.reply))
    setSaved(answer.value.name)
    announce(voice.t('template.saved', { name }))
  })
  if (saved !== undefined) return <TemplateSaved saleId={sale.saleId} name={saved} />
  return (
    <>
      <h1>{voice.t('template.title')}</h1>
      <Form class="form" id="template-form" submit={send}>
        <p>{voice.t('template.about', { title })}</p>
        <TextField
          field={{
            name: 'template-name',
            label: voice.t('template.name'),
            hint: voice.t('template.hint', most),
            error: isWrong ? voice.t('template.wrong', most) : '',
          }}
          {...{ input, value: text, enter: setText }}
          autocomplete="off"
          list="template-names"
        />
        <datalist id="template-names">
          {templates.map((one) => (
            <option key={one.name} value={one.name} />
          ))}
        </datalist>
        <p id="template-news" role="status">
          {former && voice.t('template.replaces', { name: former.name, time: voice.farMoment(former.savedAt) })}
        </p>
        <div class="actions">
          <a class="button button--plain" href={`#/sale/${sale.saleId}`}>
            {voice.t('form.cancel')}
          </a>
          <button type="submit" class="button" id="save-template">
            {voice.t(former === undefined ? 'template.save' : 'template.replace')}
          </button>
        </div>
      </Form>
    </>
  )
}

function TemplateSaved({ saleId, name }: { saleId: string; name: string }) {
  const { voice } = useView()
  const use = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => use.current?.focus(), [])
  return (
    <>
      <h1>{voice.t('template.title')}</h1>
      <div class="form">
        <div class="actions">
          <a class="button" id="use-template" href={`#/new/${encodeURIComponent(name)}`} ref={use}>
            {voice.t('template.use')}
          </a>
          <a class="button button--plain" href={`#/sale/${saleId}`}>
            {voice.t('template.back')}
          </a>
        </div>
      </div>
    </>
  )
}
