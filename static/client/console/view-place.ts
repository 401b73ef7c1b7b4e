/** The page gives its context to all components of a view. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ViewContext } from './view.ts'

export const ViewPlace = createContext<ViewContext | undefined>(undefined)

/** @throws outside of a view */
export function useView(): ViewContext {
  const context = useContext(ViewPlace)
  if (context === undefined) throw new Error('a component of a view is drawn outside of one')
  return context
}
