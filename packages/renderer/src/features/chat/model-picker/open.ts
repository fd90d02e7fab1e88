export const MODEL_PICKER_ID = 'model-picker';

/** Opens the list of models, wherever it was asked for. */
export const openModelPicker = (): void => document.getElementById(MODEL_PICKER_ID)?.click();
