/** Written by `npm run build` from the folders of the options: do not edit. */
import { proofs as draw } from '../draw/proof/proofs.ts'

export const proofs = { draw }
