/** A page behind "Settings" of the console. */
import type { ComponentType } from 'preact'
import type { ControlCall } from '../../../core/api/control-routes.ts'

/** `needs` is the call without which the page says nothing; `load` loads its script. */
export type SettingsPage = {
  name: string
  needs: ControlCall
  load(): Promise<ComponentType>
}
