/**
 * The shape of every catalogue: one key, its English and its Simplified Chinese words side by side.
 */

import type { Language } from '../../core/language.ts'

export type Text = readonly [english: string, chinese: string]
export type Messages = Readonly<Record<string, Text>>

export type Arguments = Readonly<Record<string, string | number>>

/**
 * The words of `text` in `language`. `{name}` becomes that argument, `{name|unit|units}` the first
 * word when the argument is 1 and the second otherwise; a name without an argument stays visible.
 */
export function words([english, chinese]: Text, language: Language, args: Arguments = {}): string {
  const pattern = language === 'en' ? english : chinese
  return pattern.replace(
    /\{(\w+)(?:\|(\w+)\|(\w+))?\}/g,
    (whole, name: string, one?: string, many?: string) => {
      const value = args[name]
      if (value === undefined) return whole
      if (one === undefined || many === undefined) return String(value)
      return String(value) === '1' ? one : many
    },
  )
}

/** The texts of a page by key, as they are before their values are put in. */
export type Patterns = Readonly<Record<string, string>>

/** The texts of a catalogue, language by language. */
export function patternsOf(messages: Messages): Record<Language, Patterns> {
  const entries = Object.entries(messages)
  return {
    en: Object.fromEntries(entries.map(([key, [english]]) => [key, english])),
    'zh-CN': Object.fromEntries(entries.map(([key, [, chinese]]) => [key, chinese])),
  }
}
