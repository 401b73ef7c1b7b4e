/**
 * Sign-in for one machine: any name, one of two roles. A deployment brings its own identity
 * provider.
 */
import { signInMessages } from '../messages/sign-in.ts'
import { html } from './html.ts'
import { type Assets, renderPage } from './layout.ts'
import { speaker } from './say.ts'

const { say, text, titled } = speaker(signInMessages)

/** The page at `/sign-in/`. */
export function renderSignInPage(assets: Assets): string {
  return renderPage({
    name: 'sign-in',
    title: titled('signIn.pageTitle'),
    description: text('signIn.lead'),
    assets,
    styles: ['sluice.css', 'forms.css'],
    script: 'sign-in.js',
    main: html`<main id="main" class="narrow narrow--small">
<h1>${say('signIn.title')}</h1>
<p class="lead">${say('signIn.lead')}</p>
<form id="sign-in-form" class="form" novalidate>
<div class="field"><label for="shopperId">${say('signIn.name')}</label>
<input id="shopperId" name="shopperId" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="128" required aria-describedby="shopperId-hint shopperId-error">
<p class="field__hint" id="shopperId-hint">${say('signIn.nameHint')}</p><p class="field__error" id="shopperId-error"></p></div>
<fieldset class="choices"><legend>${say('signIn.role')}</legend>
<label class="choice"><input type="radio" name="role" value="shopper" checked><span><strong>${say('signIn.shopper')}</strong><small>${say('signIn.shopperHint')}</small></span></label>
<label class="choice"><input type="radio" name="role" value="marketer"><span><strong>${say('signIn.marketer')}</strong><small>${say('signIn.marketerHint')}</small></span></label>
</fieldset>
<p id="status" class="status" role="status" aria-live="polite"></p>
<button type="submit" id="sign-in" class="button button--wide" disabled>${say('signIn.submit')}</button>
</form>
</main>`,
  })
}
