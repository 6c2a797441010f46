"""Generated from schemas/ltm-generation.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['content', 'question', 'answer']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'content' in data_keys:
            data_keys.remove('content')
            data__content = data['content']
            if not isinstance(data__content, str):
                raise Invalid
            if isinstance(data__content, str):
                data__content_len = len(data__content)
                if data__content_len < 1:
                    raise Invalid
        if 'question' in data_keys:
            data_keys.remove('question')
            data__question = data['question']
            if not isinstance(data__question, str):
                raise Invalid
            if isinstance(data__question, str):
                data__question_len = len(data__question)
                if data__question_len < 1:
                    raise Invalid
        if 'answer' in data_keys:
            data_keys.remove('answer')
            data__answer = data['answer']
            if not isinstance(data__answer, str):
                raise Invalid
            if isinstance(data__answer, str):
                data__answer_len = len(data__answer)
                if data__answer_len < 1:
                    raise Invalid
        if data_keys:
            raise Invalid
    return data
