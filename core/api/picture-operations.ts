/**
 * The operations on pictures of `/api/control`. They are apart from the others because their function also loads the
 * picture decoder, and loading the schemas of sales too would slow its cold start.
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
