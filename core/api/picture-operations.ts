/**
 * The operations about pictures of `/api/control`. Apart from the others, because the function that answers them
 * also loads the decoder of pictures, and has no time at its start for the schemas of sales.
 */
import * as z from 'zod/mini'
import { controlRoutes } from './control-routes.ts'
import type { FullOperation } from './operation.ts'
import { bodyOf } from './operation-parts.ts'
import { pictureUpload, storedPicture, uploadRequest } from './pictures.ts'
import { staffProblems } from './problem-sets.ts'

export const pictureOperations = {
  beginPicture: {
    ...controlRoutes.beginPicture,
    body: bodyOf(uploadRequest),
    status: 201,
    answer: pictureUpload,
    problems: staffProblems,
  },
  finishPicture: {
    ...controlRoutes.finishPicture,
    params: z.object({ uploadId: z.string() }),
    answer: storedPicture,
    problems: [...staffProblems, 'not-found'],
  },
} as const satisfies Record<string, FullOperation>
