import { chooseModel, useActiveModel } from '../model.ts';
import { ModelChoice } from './ModelChoice.tsx';

/** The model of the shown conversation. */
export function ModelPicker() {
  return <ModelChoice model={useActiveModel()} onChoose={chooseModel} className="max-w-[60%]" />;
}
