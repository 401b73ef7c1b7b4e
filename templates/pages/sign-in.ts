/** Renders the sign-in page of the local issuer, for any name and role. A deployment has an identity provider instead. */
import { type Role, roles } from '../../core/roles.ts'
import { languages, signInMessages } from '../messages/catalogues.ts'
import { titled } from './brand.ts'
import { type Html, html } from './html.ts'
import { type Assets, renderPage } from './layout.ts'
import { translator } from './say.ts'

const { say, text } = translator(signInMessages)

export function renderSignInPage(assets: Assets): string {
  return renderPage({ languages: [...languages] }, () => ({
    name: 'sign-in',
    title: titled(signInMessages['signIn.pageTitle'], {}),
    description: text('signIn.lead'),
    assets,
    styles: ['sluice.css', 'forms.css'],
    script: 'sign-in',
    main: html`<main id="main" class="narrow narrow--small">
<h1>${say('signIn.title')}</h1>
<p class="lead">${say('signIn.lead')}</p>
<form id="sign-in-form" class="form" method="post" novalidate>
<div class="field"><label for="shopperId">${say('signIn.name')}</label>
<input id="shopperId" name="shopperId" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="128" required aria-describedby="shopperId-hint shopperId-error">
<p class="field__hint" id="shopperId-hint">${say('signIn.nameHint')}</p><p class="field__error" id="shopperId-error" role="status" aria-live="polite"></p></div>
<fieldset class="choices"><legend>${say('signIn.role')}</legend>
${choice('shopper', true)}${roles.map((role) => choice(role))}</fieldset>
<label class="choice"><input type="checkbox" name="withoutSecondFactor" value="yes"><span><strong>${say('signIn.oneFactor')}</strong><small>${say('signIn.oneFactorHint')}</small></span></label>
<button type="submit" id="sign-in" class="button button--wide">${say('signIn.submit')}</button>
</form>
</main>`,
  }))
}

function choice(role: 'shopper' | Role, isChosen = false): Html {
  const checked = isChosen ? html` checked` : html``
  return html`<label class="choice"><input type="radio" name="role" id="role-${role}" value="${role}"${checked}><span><strong>${say(`signIn.${role}`)}</strong><small>${say(`signIn.${role}Hint`)}</small></span></label>
`
}
