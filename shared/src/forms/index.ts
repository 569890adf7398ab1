/// <reference path="../css.d.ts" />
/** Formik and yup behind accessible fields. Schemas are module constants; their messages are i18n keys. */

export { type FormikHelpers, useFormikContext } from 'formik';
export { type InferType, object, ref, string } from 'yup';
export { CodeField, type CodeFieldProps } from './code-field';
export { Form, FormError, SubmitButton } from './form';
export { NumberField } from './number-field';
export { PasswordField } from './password-field';
export { type Proof, ProofForm, type ProofWay } from './proof-form';
export { SelectField } from './select-field';
export { showFailure } from './server-errors';
export { TextField } from './text-field';
export { formMessage } from './texts';
