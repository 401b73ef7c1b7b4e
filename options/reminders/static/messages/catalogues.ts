/** The words of reminders, beside those that they add to the pages of the shop. */
import { catalogue } from '../../../../templates/messages/language-files.ts'

/** What the dialog says; its title is also that of the button on the page. */
export const remindMessages = catalogue('remind', 'page-parts')
