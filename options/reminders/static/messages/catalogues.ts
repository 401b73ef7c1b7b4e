/** The texts of reminders, except those on the pages of the shop. */
import { catalogue } from '../../../../templates/messages/language-files.ts'

/** The texts of the dialog. Its title is also that of the button on the page. */
export const remindMessages = catalogue('remind', 'page-parts')
