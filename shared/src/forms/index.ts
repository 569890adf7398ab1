/// <reference path="../css.d.ts" />
/** Forms: Formik and yup behind accessible fields. Schemas are module constants; their messages are i18n keys. */

export { type FormikHelpers, useFormik, useFormikContext } from 'formik';
export { boolean, type InferType, number, object, ref, string } from 'yup';
export { CodeField, type CodeFieldProps } from './code-field';
export {
  CheckboxField,
  type CheckboxFieldProps,
  NumberField,
  type NumberFieldProps,
  numeric,
  PasswordField,
  type PasswordFieldProps,
  SelectField,
  type SelectFieldProps,
  TextAreaField,
  type TextAreaFieldProps,
  TextField,
  type TextFieldProps,
} from './fields';
export { Form, FormError, type FormProps, SubmitButton, type SubmitButtonProps } from './form';
export { startResendWait, useResendWait } from './resend-clock';
export { applyServerErrors, showFailure } from './server-errors';
export { formMessage } from './texts';
