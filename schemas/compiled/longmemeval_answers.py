"""Generated from schemas/longmemeval-answers.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['question_id', 'hypothesis']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'question_id' in data_keys:
            data_keys.remove('question_id')
            data__questionid = data['question_id']
            if not isinstance(data__questionid, str):
                raise Invalid
            if isinstance(data__questionid, str):
                data__questionid_len = len(data__questionid)
                if data__questionid_len < 1:
                    raise Invalid
        if 'hypothesis' in data_keys:
            data_keys.remove('hypothesis')
            data__hypothesis = data['hypothesis']
            if not isinstance(data__hypothesis, str):
                raise Invalid
        if 'autoeval_label' in data_keys:
            data_keys.remove('autoeval_label')
            data__autoevallabel = data['autoeval_label']
            if not isinstance(data__autoevallabel, (dict, NoneType)):
                raise Invalid
            data__autoevallabel_is_dict = isinstance(data__autoevallabel, dict)
            if data__autoevallabel_is_dict:
                data__autoevallabel__missing_keys = set(['label']) - data__autoevallabel.keys()
                if data__autoevallabel__missing_keys:
                    raise Invalid
                data__autoevallabel_keys = set(data__autoevallabel.keys())
                if 'model' in data__autoevallabel_keys:
                    data__autoevallabel_keys.remove('model')
                    data__autoevallabel__model = data__autoevallabel['model']
                    if not isinstance(data__autoevallabel__model, str):
                        raise Invalid
                if 'label' in data__autoevallabel_keys:
                    data__autoevallabel_keys.remove('label')
                    data__autoevallabel__label = data__autoevallabel['label']
                    if not isinstance(data__autoevallabel__label, bool):
                        raise Invalid
    return data
