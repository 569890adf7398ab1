/// <reference path="../css.d.ts" />
/** Formik and yup behind accessible fields. Schemas are module constants; their messages are i18n keys. */

export { type FormikHelpers, useFormikContext } from 'formik';
export { type InferType, object, ref, string } from 'yup';
export { CodeField, type CodeFieldProps } from './code-field';
export { Form, FormError, type FormProps, SubmitButton, type SubmitButtonProps } from './form';
export { NumberField, type NumberFieldProps } from './number-field';
export { PasswordField, type PasswordFieldProps } from './password-field';
export { type Proof, ProofForm, type ProofFormProps, type ProofWay } from './proof-form';
export { SelectField, type SelectFieldProps } from './select-field';
export { showFailure } from './server-errors';
export { TextAreaField, type TextAreaFieldProps, TextField, type TextFieldProps } from './text-field';
export { formMessage } from './texts';
