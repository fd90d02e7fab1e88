import { resultsContract } from '@shared/contracts/results.contract.ts';
import { AppError } from '../ports/errors.ts';
import type { WholeResults } from '../ports/whole-results.ts';
import { defineRouter } from './router.ts';

/** @param openFile opens a file in the system's program; throws AppError `refused` */
export const createResultsRouter = (results: WholeResults, openFile: (file: string) => Promise<void>) =>
  defineRouter(resultsContract, {
    open: async ({ id }) => {
      const file = results.find(id);
      if (file !== undefined) return openFile(file);
      throw new AppError('not-found', 'The whole result is not kept any more.', {
        hint: 'Whole results are kept for 30 days, and the oldest go first when there are many.',
      });
    },
  });
